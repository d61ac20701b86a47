import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { SystemDb } from '../frame/tenant.ts'

/** The role that runs the deployment. */
const role = rolesThatMay('merchant.admin')[0] as string

/** Runs work in one process at a time: processes that start together wait until the first has sent its invitation. */
export async function oneAtATime(db: SystemDb, work: () => Promise<void>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first admin', 0))`.execute(db)
  await work()
}

/**
 * The user to invite as the first super admin, created if no user has this address. Undefined if a super admin is active, if an
 * invitation is still valid, or if the address belongs to another kind of user.
 */
export async function firstAdminToInvite(db: SystemDb, email: string, now: Date): Promise<string | undefined> {
  const admins = await db
    .selectFrom('users')
    .select(['id', 'email', 'status', 'role'])
    .where((eb) => eb.or([eb('role', '=', role), eb('email', '=', email)]))
    .execute()
  if (admins.some((one) => one.role === role && one.status === 'active')) return undefined
  const admin = admins.find((one) => one.email === email)
  if (admin && (admin.role !== role || admin.status !== 'invited')) return undefined
  if (admin) {
    const link = await db
      .selectFrom('identity_links')
      .select('hash')
      .where('user_id', '=', admin.id)
      .where('purpose', '=', 'invitation')
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return link ? undefined : admin.id
  }
  const id = randomUUIDv7()
  const name = email.split('@')[0] ?? email
  await db.insertInto('users').values({ id, email, name, role, status: 'invited', created_at: now }).execute()
  return id
}
