import { randomUUIDv7 } from 'node:crypto'
import type { Doors } from '../frame/tenant.ts'
import { endTokensOf } from './identity.ts'
import { personToEdit, recordPerson, writePerson } from './user-edit.ts'

export interface OwnProfile {
  id: string
  version: number
  email: string
  name: string
  language: string | null
}

/**
 * Changes a person's own name and language, and notes it where changes of them are noted. `decide` sees the person as they are, held
 * until the change is written, and says whether to write; it may throw. Nothing when there is no such person.
 */
export async function updateOwnProfile(
  doors: Doors,
  id: string,
  profile: { name: string; language: string | null },
  now: Date,
  decide: (current: OwnProfile) => boolean,
): Promise<OwnProfile | undefined> {
  return doors.withSystem('own profile', async (db) => {
    const current = await personToEdit(db, id)
    if (!current || !decide(current)) return current
    const after = { ...current, ...profile, version: current.version + 1 }
    await writePerson(db, id, current.version, after)
    const user = { id, name: current.name }
    await recordPerson(db, { id, at: now, user, action: 'user.update', before: current, after })
    return after
  })
}

/** Ends the tokens that were made for a person so far, where the provider is not ours to say it. */
export const endTokens = (doors: Doors, userId: string, now: Date) =>
  doors.withSystem('session log', (db) => endTokensOf(db, { id: userId }, now))

/** Notes how a browser session ended. */
export const logSession = (doors: Doors, userId: string, at: Date, type: string, reason: string) =>
  doors.withSystem(
    'session log',
    (db) => db.insertInto('session_log').values({ id: randomUUIDv7(), user_id: userId, at, type, reason }).execute(),
    'single statement',
  )

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
