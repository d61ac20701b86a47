import { randomUUIDv7 } from 'node:crypto'
import { endTokensOf } from './identity.ts'
import type { Doors, SystemDb } from './tenant.ts'

export interface OwnProfile {
  id: string
  version: number
  email: string
  name: string
  language: string | null
}

/**
 * Changes a person's own name and language. `decide` sees the row as it is, held until the change is written, and says whether
 * to write; it may throw. Nothing when there is no such person.
 */
export async function updateOwnProfile(
  doors: Doors,
  id: string,
  profile: { name: string; language: string | null },
  decide: (current: OwnProfile) => boolean,
): Promise<OwnProfile | undefined> {
  return doors.withSystem('own profile', async (db) => {
    const columns = ['id', 'version', 'email', 'name', 'language'] as const
    const current = await db.selectFrom('users').where('id', '=', id).select(columns).forUpdate().executeTakeFirst()
    if (!current || !decide(current)) return current
    return db
      .updateTable('users')
      .set({ ...profile, version: current.version + 1 })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst()
  })
}

/** Ends the tokens that were made for a person so far, where the provider is not ours to say it. */
export const endTokens = (doors: Doors, userId: string, now: Date) =>
  doors.withSystem('session log', (db) => endTokensOf(db, { id: userId }, now))

/** Notes how a browser session ended, or what somebody changed about themselves. */
export async function logSession(doors: Doors, userId: string, at: Date, type: string, reason: string): Promise<void> {
  await doors.withSystem('session log', (db) => logPerson(db, userId, at, type, reason))
}

/** The same inside a transaction that is open already. */
export const logPerson = (db: SystemDb, userId: string, at: Date, type: string, reason: string) =>
  db.insertInto('session_log').values({ id: randomUUIDv7(), user_id: userId, at, type, reason }).execute()

/** Within so many minutes a visit is not noted again. */
const visitMinutes = 5

/** Notes that somebody has opened the portal. */
export const noteVisit = (doors: Doors, userId: string, now: Date) =>
  doors.withSystem(
    'own profile',
    (db) =>
      db
        .updateTable('users')
        .set({ last_seen_at: now })
        .where('id', '=', userId)
        .where((eb) =>
          eb.or([
            eb('last_seen_at', 'is', null),
            eb('last_seen_at', '<', new Date(now.getTime() - visitMinutes * 60_000)),
          ]),
        )
        .execute(),
    'single statement',
  )
