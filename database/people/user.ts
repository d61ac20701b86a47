import { randomUUIDv7 } from 'node:crypto'
import type { Doors } from '../frame/tenant.ts'
import { endTokensOf } from './identity.ts'
import { recordUserChange, userToEdit, writeUser } from './user-edit.ts'

export interface OwnProfile {
  id: string
  version: number
  email: string
  name: string
  language: string | null
}

/**
 * Changes a user's own name and language, and logs it where changes of users are logged. `decide` gets the user, locked until the change
 * is written, and returns whether to write; it may throw. Undefined if the user does not exist.
 */
export async function updateOwnProfile(
  doors: Doors,
  id: string,
  profile: { name: string; language: string | null },
  now: Date,
  decide: (current: OwnProfile) => boolean,
): Promise<OwnProfile | undefined> {
  return doors.withSystem('own profile', async (db) => {
    const current = await userToEdit(db, id)
    if (!current || !decide(current)) return current
    const after = { ...current, ...profile, version: current.version + 1 }
    await writeUser(db, id, current.version, after)
    const user = { id, name: current.name }
    await recordUserChange(db, { id, at: now, user, action: 'user.update', before: current, after })
    return after
  })
}

/** Ends all tokens issued to a user so far, for users of an external provider. */
export const endTokens = (doors: Doors, userId: string, now: Date) =>
  doors.withSystem('session log', (db) => endTokensOf(db, { id: userId }, now))

/** Records how a browser session ended. */
export const logSession = (doors: Doors, userId: string, at: Date, type: string, reason: string) =>
  doors.withSystem(
    'session log',
    (db) => db.insertInto('session_log').values({ id: randomUUIDv7(), user_id: userId, at, type, reason }).execute(),
    'single statement',
  )

/** A visit within this many minutes is not recorded again. */
const visitMinutes = 5

/** Records that a user has opened the portal. */
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
