import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { Membership } from '#contract/people/user-edit.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import type { UserStatus } from '#contract/vocabulary/user.ts'
import { isProviders, runsMerchants } from '#domain/people/user-edit.ts'
import { constraintOf } from '../frame/constraint.ts'
import { invisibleUsers, redactedName } from '../frame/redacted-name.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { refuseTooManyUsers } from '../merchants/merchant-limit.ts'
import { recordChanges } from '../platform/change-log.ts'
import { recordProviderChange } from '../platform/provider-log.ts'
import { groupNames } from './group-names.ts'

/** A user with all memberships; the caller narrows what is shown. */
export interface UserWithMemberships {
  id: string
  version: number
  email: string
  name: string
  role: Role
  language: string | null
  status: UserStatus
  /** The subject at the provider; null while invited. */
  subject: string | null
  receiveNotifications: boolean
  allowLicensing: boolean
  invisibleToMerchants: boolean
  lastSeenAt: Date | null
  createdAt: Date
  secondFactors: number
  memberships: (Membership & { merchantName: string; groupNames: Record<string, string> })[]
}

const userWith = (id: string) => sql<UserWithMemberships>`
  select u.id, u.version, u.email, u.name, u.role, u.language, u.status, u.subject,
    u.receive_notifications as "receiveNotifications", u.allow_licensing as "allowLicensing",
    u.invisible_to_merchants as "invisibleToMerchants", u.last_seen_at as "lastSeenAt", u.created_at as "createdAt",
    (select count(*)::int from identity_factors f where f.user_id = u.id) as "secondFactors",
    coalesce((select json_agg(json_build_object('merchantId', m.merchant_id, 'merchantName', n.name,
        'allGroups', m.all_groups,
        'groupIds', coalesce((select json_agg(g.group_id order by g.group_id) from user_groups g
          where g.user_id = m.user_id and g.merchant_id = m.merchant_id), '[]'::json),
        'groupNames', '{}'::json) order by lower(n.name), n.id)
      from user_merchants m join merchants n on n.id = m.merchant_id where m.user_id = u.id), '[]'::json) as memberships
  from users u where u.id = ${id}::uuid`

export const findUser = (doors: Doors, id: string): Promise<UserWithMemberships | undefined> =>
  doors.withSystem('people', (db) => currentUser(db, id), 'single statement')

/** A user as stored now. */
export async function currentUser(db: SystemDb, id: string): Promise<UserWithMemberships | undefined> {
  const [user] = (await userWith(id).execute(db)).rows
  const names = await groupNames(db, user?.memberships ?? [])
  for (const membership of user?.memberships ?? [])
    for (const groupId of membership.groupIds) {
      const name = names.get(groupId)
      if (name !== undefined) membership.groupNames[groupId] = name
    }
  return user
}

/** The same, locked until the transaction ends. It is read after the lock, so that it includes concurrent changes. */
export async function userToEdit(db: SystemDb, id: string): Promise<UserWithMemberships | undefined> {
  const held = await db.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return held && currentUser(db, id)
}

/** The fields of the user's row. */
export interface UserFields {
  email: string
  name: string
  role: Role
  language: string | null
  status: UserStatus
  receiveNotifications: boolean
  allowLicensing: boolean
  invisibleToMerchants: boolean
}

const written = (fields: UserFields) => ({
  email: fields.email,
  name: fields.name,
  role: fields.role,
  language: fields.language,
  status: fields.status,
  receive_notifications: fields.receiveNotifications,
  allow_licensing: fields.allowLicensing,
  invisible_to_merchants: fields.invisibleToMerchants,
})

const emailTaken = (error: unknown): never => {
  if (constraintOf(error) === 'users_email_key') throw new ProductError('UserAlreadyExists')
  throw error
}

/** Throws UserAlreadyExists. */
export const insertUser = (db: SystemDb, id: string, fields: UserFields, now: Date) =>
  db
    .insertInto('users')
    .values({ id, created_at: now, ...written(fields) })
    .execute()
    .catch(emailTaken)

/** Writes a user's row and increments its version. Throws UserAlreadyExists. */
export const writeUser = (db: SystemDb, id: string, version: number, fields: UserFields) =>
  db
    .updateTable('users')
    .set({ ...written(fields), version: version + 1 })
    .where('id', '=', id)
    .execute()
    .catch(emailTaken)

export const removeUser = (db: SystemDb, id: string) => db.deleteFrom('users').where('id', '=', id).execute()

/**
 * Locks the groups of memberships until the transaction ends against deletion; no foreign key protects an assigned group. Throws
 * MerchantNotFoundException or GroupNotFound for unknown ids and ids of another merchant.
 */
export async function holdGroups(db: SystemDb, memberships: readonly Membership[]): Promise<void> {
  const merchantIds = memberships.map(({ merchantId }) => merchantId)
  const existing = await sql`select id from merchants where id = any(${merchantIds}::uuid[])`.execute(db)
  if (existing.rows.length < merchantIds.length) throw new ProductError('MerchantNotFoundException')
  for (const { merchantId, groupIds } of memberships.toSorted((one, other) =>
    one.merchantId < other.merchantId ? -1 : 1,
  )) {
    if (groupIds.length === 0) continue
    const held =
      await sql`select id from groups where merchant_id = ${merchantId}::uuid and id = any(${groupIds}::uuid[])
      order by id for key share`.execute(db)
    if (held.rows.length < groupIds.length) throw new ProductError('GroupNotFound')
  }
}

/** Replaces a user's memberships row by row; unchanged rows are not touched. Throws PeopleLimitReached. */
export async function writeMemberships(
  db: SystemDb,
  userId: string,
  memberships: readonly Membership[],
): Promise<void> {
  const merchantIds = memberships.map(({ merchantId }) => merchantId)
  await refuseTooManyUsers(db, userId, merchantIds)
  const all = memberships.map(({ allGroups }) => allGroups)
  const pairs = memberships.flatMap(({ merchantId, groupIds }) => groupIds.map((id) => ({ merchantId, id })))
  const ofGroups = sql`select * from unnest(${pairs.map((one) => one.merchantId)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])`
  await sql`delete from user_merchants where user_id = ${userId} and merchant_id <> all(${merchantIds}::uuid[])`.execute(
    db,
  )
  await sql`delete from user_groups where user_id = ${userId} and (merchant_id, group_id) not in (${ofGroups})`.execute(
    db,
  )
  await sql`
    insert into user_merchants (user_id, merchant_id, all_groups)
    select ${userId}, merchant_id, all_groups from unnest(${merchantIds}::uuid[], ${all}::boolean[]) as given (merchant_id, all_groups)
    on conflict (user_id, merchant_id) do update set all_groups = excluded.all_groups`.execute(db)
  await sql`
    insert into user_groups (user_id, merchant_id, group_id) select ${userId}, * from (${ofGroups}) as given
    on conflict do nothing`.execute(db)
}

/**
 * The merchants among these that no other user runs (see `runBy` in the domain). Concurrent removals wait for each other in a fixed order
 * of merchants, so that the second sees the result of the first.
 */
export async function merchantsWithoutAnother(db: SystemDb, merchantIds: readonly string[], userId: string) {
  for (const id of [...merchantIds].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended('gettone.admins:' || ${id}, 0))`.execute(db)
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from merchants n where id = any(${merchantIds}::uuid[]) and not exists (
      select 1 from user_merchants m join users u on u.id = m.user_id
      where m.merchant_id = n.id and u.id <> ${userId} and u.role = any(${roles.filter(runsMerchants)}::text[])
        and u.status = 'active')
    order by lower(name)`.execute(db)
  return rows
}

/** Whether another super admin is active; concurrent removals wait as above. */
export async function hasAnotherSuperAdmin(db: SystemDb, userId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('gettone.admins:super', 0))`.execute(db)
  const { rows } = await sql`
    select 1 from users where role = any(${roles.filter(isProviders)}::text[]) and status = 'active' and id <> ${userId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

type LoggedUser = UserFields & { memberships: readonly Membership[] }

/** The fields of a user that a log stores. */
const fieldsOf = (user: UserFields): UserFields => ({
  email: user.email,
  name: user.name,
  role: user.role,
  language: user.language,
  status: user.status,
  receiveNotifications: user.receiveNotifications,
  allowLicensing: user.allowLicensing,
  invisibleToMerchants: user.invisibleToMerchants,
})

/** The fields of a user for the log of a merchant, with its own memberships only. */
const loggedFor = (merchantId: string, user: LoggedUser | undefined) => {
  const membership = user?.memberships.find((one) => one.merchantId === merchantId)
  return user && membership && { ...fieldsOf(user), groups: membership.allGroups ? 'all' : membership.groupIds }
}

/**
 * Records a change of a user in the log of each merchant concerned; for users of the provider, or without a merchant, in the platform
 * audit log.
 */
export async function recordUserChange(
  db: SystemDb,
  change: {
    id: string
    at: Date
    user: { id: string; name: string }
    action: 'user.create' | 'user.update' | 'user.delete'
    before?: LoggedUser
    after?: LoggedUser
  },
): Promise<void> {
  const { id, at, user, action, before, after } = change
  const concerned = [...(before?.memberships ?? []), ...(after?.memberships ?? [])].map(({ merchantId }) => merchantId)
  const entries = [...new Set(concerned)].map((merchantId) => ({
    merchantId,
    at,
    user,
    action,
    subjectType: 'user',
    subjectId: id,
    before: loggedFor(merchantId, before),
    after: loggedFor(merchantId, after),
  }))
  await recordChanges({ query: db }, entries)
  const isProvidersOwn = [before, after].some((user) => user && isProviders(user.role))
  if (entries.length > 0 && !isProvidersOwn) return
  await recordProviderChange(db, {
    at,
    user,
    action,
    subjectType: 'user',
    subjectId: id,
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
  })
}

/** Records what an administrator did to a user beside the user's fields, where changes of users are logged. */
export async function recordOfAdmin(
  db: SystemDb,
  done: {
    at: Date
    user: { id: string; name: string }
    person: UserWithMemberships
    action: 'user.removeSecondFactors' | 'user.endSessions'
    before: object
    after: object | null
  },
): Promise<void> {
  const { person, ...rest } = done
  const entry = { ...rest, subjectType: 'user', subjectId: person.id }
  await recordChanges(
    { query: db },
    person.memberships.map(({ merchantId }) => ({ merchantId, ...entry })),
  )
  if (isProviders(person.role) || person.memberships.length === 0) await recordProviderChange(db, entry)
}

/** The last change of a user, from the logs of these merchants or from the platform audit log, as a reader may see it. */
export async function lastChangeOf(db: SystemDb, id: string, merchantIds: readonly string[], seesInvisible: boolean) {
  const hidden = seesInvisible ? null : [...(await invisibleUsers({ query: db }))]
  const { rows } = await sql<{ at: Date; by: string | null }>`
    select at, ${redactedName(sql`user_id`, sql`user_name`, hidden)} as by from (
      select at, user_id, user_name from change_log
        where merchant_id = any(${merchantIds}::uuid[]) and subject_type = 'user' and subject_id = ${id}
      union all select at, user_id, user_name from provider_log
        where ${seesInvisible} and subject_type = 'user' and subject_id = ${id}
    ) as logged
    order by at desc limit 1`.execute(db)
  return rows[0]
}
