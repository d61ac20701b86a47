import { randomUUIDv7 } from 'node:crypto'
import type { Doors, TenantDb } from './tenant.ts'

/** Changes a person's own name and language. */
export async function updateOwnProfile(
  doors: Doors,
  id: string,
  profile: { name: string; language: string | null },
): Promise<{ id: string; email: string; name: string; language: string | null } | undefined> {
  return doors.withSystem('own profile', (db) =>
    db
      .updateTable('users')
      .set(profile)
      .where('id', '=', id)
      .returning(['id', 'email', 'name', 'language'])
      .executeTakeFirst(),
  )
}

/** Notes how a browser session ended, or what somebody changed about themselves. */
export async function logSession(doors: Doors, userId: string, at: Date, type: string, reason: string): Promise<void> {
  await doors.withSystem('session log', (db) =>
    db.insertInto('session_log').values({ id: randomUUIDv7(), user_id: userId, at, type, reason }).execute(),
  )
}

/** Merchants of the scope by name, whatever the case. */
export const listMerchants = (db: TenantDb) =>
  db
    .from('merchants')
    .selectAll('merchants')
    .orderBy((order) => order.fn('lower', ['merchants.name']))
    .execute()
