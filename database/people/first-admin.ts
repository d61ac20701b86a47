import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { SystemDb } from '../frame/tenant.ts'

/** Who runs the deployment. */
const role = rolesThatMay('merchant.admin')[0] as string

/** Runs work while no other process does: those that start at once wait for each other, until whoever was first has invited. */
export async function oneAtATime(db: SystemDb, work: () => Promise<void>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first admin', 0))`.execute(db)
  await work()
}

/**
 * Who is to be invited as the first super admin: made when there is nobody of this address. Nothing while somebody is super admin
 * already, while an invitation can still be used, or when the address is somebody else's.
 */
export async function firstAdminToInvite(db: SystemDb, email: string, now: Date): Promise<string | undefined> {
  const admins = await db
    .selectFrom('users')
    .select(['id', 'email', 'status', 'role'])
    .where((eb) => eb.or([eb('role', '=', role), eb('email', '=', email)]))
    .execute()
  if (admins.some((one) => one.role === role && one.status === 'active')) return undefined
  const known = admins.find((one) => one.email === email)
  if (known && (known.role !== role || known.status !== 'invited')) return undefined
  if (known) {
    const link = await db
      .selectFrom('identity_links')
      .select('hash')
      .where('user_id', '=', known.id)
      .where('purpose', '=', 'invitation')
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return link ? undefined : known.id
  }
  const id = randomUUIDv7()
  const name = email.split('@')[0] ?? email
  await db.insertInto('users').values({ id, email, name, role, status: 'invited', created_at: now }).execute()
  return id
}
