import { type RawBuilder, sql } from 'kysely'
import { roleMay } from '#contract/access.ts'
import type { ExportOrderOf } from '#contract/export/export.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportRows, type ExportSource, fieldsOf, onlyZone } from '../frame/export/source.ts'
import type { Scope } from '../frame/tenant.ts'
import { licensing, type UserScope, usersMatching, usersToFile } from '../people/user-list.ts'

/** Names in one cell, and the number of further ones. */
const namesOf = (what: 'merchants' | 'groups', count: 'merchant_count' | 'group_count') =>
  sql`array_to_string(u.${sql.ref(what)}, '; ') || case when u.${sql.ref(count)} > cardinality(u.${sql.ref(what)})
    then '; +' || (u.${sql.ref(count)} - cardinality(u.${sql.ref(what)})) else '' end`

const merchants = namesOf('merchants', 'merchant_count')

/** Users may have many merchants or none. */
const home = (scope: Scope) => sql`(select coalesce(${onlyZone(scope)}, 'UTC') as time_zone) as home`

/** Columns that both lists of users share. */
const common = {
  home: {
    currency: sql`''`,
    isWhole: sql`false`,
    local: (instant: RawBuilder<unknown>) => sql`${instant} at time zone home.time_zone`,
  },
  merchant: merchants,
  zone: sql`home.time_zone`,
}

const values = {
  email: sql`u.email`,
  name: sql`u.name`,
  role: sql`u.role`,
  status: sql`u.status`,
  language: sql`u.language`,
  // Named like the merchant column that files of several merchants get, so that it appears once.
  merchant: merchants,
  receiveNotifications: sql`u.receive_notifications`,
  allowLicensing: licensing,
  lastSeenAt: sql`u.last_seen_at`,
  createdAt: sql`u.created_at`,
  id: sql`u.id`,
}

const rowsOf = (
  userScope: UserScope,
  { filter, ord, ordType }: Pick<ExportOrderOf<'users'>, 'filter' | 'ord' | 'ordType'>,
  names: readonly { id: string; name: string }[] = [],
): ExportRows => ({
  select: (what, limit) => {
    const { rows, order } = usersToFile(userScope, filter, { ord, ordType, limit, names })
    return sql`select ${fieldsOf(what)} from (${rows}) as u cross join ${home(userScope.scope)} order by ${order}`
  },
  count: sql`select count(*)::bigint as n ${usersMatching(userScope, filter)}`,
})

const seesInvisible = (role: Role) => roleMay(role, 'user.readAll')

/** Users of the scope, filtered and sorted. */
export const usersSource: ExportSource<'users'> = {
  ...common,
  columns: columnsOf('users', {
    ...values,
    allGroups: sql`u.has_all_groups`,
    groups: namesOf('groups', 'group_count'),
  }),
  open: async (db, order, { role }) => {
    const names = await db.from('groups').select(['groups.id', 'groups.name']).execute()
    return rowsOf({ scope: db.scope, isEverybody: false, seesInvisible: seesInvisible(role) }, order, names)
  },
}

/** All users, with or without a merchant, for readers who see all. */
export const usersOfAllSource: ExportSource<'usersOfAll'> = {
  ...common,
  columns: columnsOf('usersOfAll', { ...values, invisibleToMerchants: sql`u.invisible_to_merchants` }),
  open: async ({ scope }, order, { role }) =>
    rowsOf({ scope, isEverybody: true, seesInvisible: seesInvisible(role) }, order),
}
