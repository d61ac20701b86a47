import { type RawBuilder, sql } from 'kysely'
import { mostNamed, type UserFilters, type UserRow, type userOrds } from '#contract/people/user-edit.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { mayLicense } from '#domain/people/user-edit.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { countLimit, countRows, limitedTo, orderOf, type Page, type Sorted } from '../frame/list.ts'
import type { RowOf } from '../frame/row.ts'
import type { Doors, Scope, SystemDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { groupNames } from './group-names.ts'

/** The users that a reader sees: of a scope or all, and whether users hidden from merchants are included. */
export interface UserScope {
  scope: Scope
  isEverybody: boolean
  seesInvisible: boolean
}

export type UserRecord = RowOf<typeof UserRow>

/** A user whose groups have no names yet. */
type Unnamed = Omit<UserRecord, 'groups' | 'group_count'> & { at_groups: { merchantId: string; groupIds: string[] }[] }

type Order = Sorted<(typeof userOrds)[number]>

const split = (scope: Scope) => ({
  whole: scope.filter(({ groups }) => groups === 'all').map(({ merchantId }) => merchantId),
  parts: scope.filter((pair): pair is { merchantId: string; groups: string[] } => pair.groups !== 'all'),
})

const whoseIds = (ids: readonly string[]) => (ids.length === 1 ? sql`= ${ids[0]}::uuid` : sql`= any(${ids}::uuid[])`)

/** The condition that a membership `m` is in a scope. */
const isSeen = (scope: Scope): RawBuilder<boolean> => {
  const { whole, parts } = split(scope)
  const visible = parts.map(
    ({
      merchantId,
      groups,
    }) => sql<boolean>`(m.merchant_id = ${merchantId}::uuid and exists (select 1 from user_groups g
      where g.user_id = m.user_id and g.merchant_id = m.merchant_id and g.group_id = any(${groups}::uuid[])))`,
  )
  if (whole.length > 0) visible.push(sql<boolean>`m.merchant_id ${whoseIds(whole)}`)
  return visible.length > 0 ? sql<boolean>`(${sql.join(visible, sql` or `)})` : sql<boolean>`false`
}

/** The condition that a group `g` of a membership is in a scope. */
const isSeenGroup = (scope: Scope): RawBuilder<boolean> => {
  const { whole, parts } = split(scope)
  const visible = parts.map(
    ({ merchantId, groups }) =>
      sql<boolean>`(g.merchant_id = ${merchantId}::uuid and g.group_id = any(${groups}::uuid[]))`,
  )
  if (whole.length > 0) visible.push(sql<boolean>`g.merchant_id ${whoseIds(whole)}`)
  return visible.length > 0 ? sql<boolean>`(${sql.join(visible, sql` or `)})` : sql<boolean>`false`
}

/** Excludes users hidden from merchants: few, with their own index. */
const isShown = (userScope: UserScope, id: RawBuilder<unknown>) =>
  userScope.seesInvisible
    ? sql<boolean>`true`
    : sql<boolean>`${id} not in (select id from users where invisible_to_merchants)`

/** `mayLicense` of the domain, for a user `u`. */
const licensingRoles = (isAllowed: boolean) => roles.filter((role) => mayLicense(role, isAllowed))
export const licensing = sql<boolean>`(u.role = any(${sql.lit(`{${licensingRoles(false)}}`)}::text[])
  or u.allow_licensing and u.role = any(${sql.lit(`{${licensingRoles(true)}}`)}::text[]))`

/** Users `u` that match and that the reader sees. */
function matching(userScope: UserScope, filters: UserFilters): RawBuilder<boolean> {
  const { search, roles, statuses, merchantIds, groupIds, receiveNotifications } = filters
  const scope = merchantIds?.length
    ? userScope.scope.filter(({ merchantId }) => merchantIds.includes(merchantId))
    : userScope.scope
  const isAtMerchants = sql<boolean>`exists (select 1 from user_merchants m where m.user_id = u.id and ${isSeen(scope)})`
  const parts = [
    isShown(userScope, sql`u.id`),
    anyOf('u.role', roles, 'text'),
    anyOf('u.status', statuses, 'text'),
    userScope.isEverybody && !merchantIds?.length ? sql<boolean>`true` : isAtMerchants,
    holds(sql`(u.email || ' ' || u.name)`, search),
    when(
      groupIds,
      (some) => sql<boolean>`exists (select 1 from user_groups g where g.user_id = u.id
        and g.group_id = any(${some}::uuid[]) and ${isSeenGroup(scope)})`,
    ),
    when(receiveNotifications, (expected) => sql<boolean>`u.receive_notifications = ${expected}`),
    when(filters.mayLicense, (expected) => sql<boolean>`${licensing} = ${expected}`),
  ]
  return sql.join(parts, sql` and `)
}

/** A filter over a hundred thousand users checks them one by one, so counting stops earlier. */
const filteredLimit = 1_000

/** The number of users that match, up to the limit. Without filters a merchant's users are counted by its memberships alone. */
async function countUsers(db: SystemDb, userScope: UserScope, filters: UserFilters) {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const [only] = userScope.scope
  const isOneMerchant = !isFiltered && !userScope.isEverybody && userScope.scope.length === 1 && only?.groups === 'all'
  const some = isOneMerchant
    ? sql`select 1 from user_merchants m where ${isSeen(userScope.scope)} and ${isShown(userScope, sql`m.user_id`)}`
    : sql`select 1 from users u where ${matching(userScope, filters)}`
  const limit = isOneMerchant || (userScope.isEverybody && !isFiltered) ? countLimit : filteredLimit
  return countRows(db, some, limit)
}

const ordColumns = {
  email: sql`u.email`,
  name: sql`lower(u.name)`,
  role: sql`u.role`,
  status: sql`u.status`,
  language: sql`u.language`,
  createdAt: sql`u.created_at`,
  lastSeenAt: sql`u.last_seen_at`,
} satisfies Record<(typeof userOrds)[number], RawBuilder<unknown>>

/** By default by e-mail address; users who never signed in come last by time. */
const ordering = orderOf<(typeof userOrds)[number]>({
  by: ordColumns,
  first: 'email',
  full: ['email', 'name', 'role', 'status', 'language', 'createdAt'],
  ties: (direction) => sql`u.email ${direction}`,
})

/** Users with the columns of a list and `groups`, which the given statement says of a user `u`; only merchants of the scope are named. */
const described = <Row>(
  users: RawBuilder<unknown>,
  userScope: UserScope,
  most: number,
  groups: RawBuilder<unknown>,
) => {
  const isVisible = userScope.isEverybody ? sql<boolean>`true` : isSeen(userScope.scope)
  return sql<Row>`
    select u.*, of_merchants.*, of_groups.* from (${users}) as u
    cross join lateral (
      select coalesce((array_agg(n.name order by lower(n.name)))[:${sql.lit(most)}], '{}') as merchants,
        count(*)::int as merchant_count, coalesce(bool_or(m.all_groups), false) as has_all_groups
      from user_merchants m join merchants n on n.id = m.merchant_id where m.user_id = u.id and ${isVisible}) as of_merchants
    cross join lateral (${groups}) as of_groups`
}

const groupsSeen = (userScope: UserScope) => (userScope.isEverybody ? sql<boolean>`true` : isSeenGroup(userScope.scope))

/** The groups of the scope that a user has, by id. */
const groupIds = (userScope: UserScope) => sql`
  select coalesce(json_agg(json_build_object('merchantId', of_one.merchant_id, 'groupIds', of_one.ids)), '[]'::json) as at_groups from (
    select g.merchant_id, json_agg(g.group_id) as ids from user_groups g
    where g.user_id = u.id and ${groupsSeen(userScope)} group by 1) of_one`

/** Names the groups of users, in the order of their names. */
async function withGroups(db: SystemDb, users: readonly Unnamed[], most: number): Promise<UserRecord[]> {
  const names = await groupNames(
    db,
    users.flatMap(({ at_groups }) => at_groups),
  )
  const places = new Map([...names.keys()].map((id, place) => [id, place]))
  const placeOf = (id: string) => places.get(id) ?? 0
  return users.map(({ at_groups, ...user }) => {
    const ids = at_groups.flatMap((one) => one.groupIds).filter((id) => names.has(id))
    const first = ids.sort((one, other) => placeOf(one) - placeOf(other)).slice(0, most)
    return { ...user, groups: first.map((id) => names.get(id) ?? ''), group_count: ids.length }
  })
}

const columns = sql.raw(
  ['id', 'email', 'name', 'role', 'language', 'status', 'receive_notifications', 'allow_licensing']
    .concat(['invisible_to_merchants', 'last_seen_at', 'created_at'])
    .map((column) => `u.${column}`)
    .join(', '),
)

/** A page of users, and their number. */
export const findUsers = (doors: Doors, userScope: UserScope, filters: UserFilters, page: Page & Order) =>
  doors.withSystem(
    'people',
    async (db) => {
      const counted = await countUsers(db, userScope, filters)
      const users = sql`select ${columns} from users u where ${matching(userScope, filters)}
        order by ${ordering(page)} ${limitedTo(page)}`
      const all = described(users, userScope, mostNamed, groupIds(userScope))
      const { rows } = await sql<Unnamed>`${all} order by ${ordering(page)}`.execute(db)
      return { ...counted, rows: await withGroups(db, rows, mostNamed) }
    },
    'single statement',
  )

/** A cell of a spreadsheet names at most this many merchants or groups of a user. */
const mostInFile = 200

/** The FROM clause of users `u` that match, without further columns. */
export const usersMatching = (userScope: UserScope, filters: UserFilters) =>
  sql`from users u where ${matching(userScope, filters)}`

/** Users that match with the columns of a list and more names; `order` sorts the rows `u`. `names` has the groups that may be named. */
export function usersToFile(
  userScope: UserScope,
  filters: UserFilters,
  { limit, names, ...by }: Order & { limit: number | undefined; names: readonly { id: string; name: string }[] },
) {
  const order = ordering(by)
  const users = sql`select ${columns} ${usersMatching(userScope, filters)} order by ${order} ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  const groups = sql`
    select coalesce((array_agg(n.name order by lower(n.name)))[:${sql.lit(mostInFile)}], '{}') as groups, count(*)::int as group_count
    from user_groups g join unnest(${names.map(({ id }) => id)}::uuid[], ${names.map(({ name }) => name)}::text[]) as n (id, name)
      on n.id = g.group_id
    where g.user_id = u.id and ${groupsSeen(userScope)}`
  return { rows: described<UserRecord>(users, userScope, mostInFile, groups), order }
}

/** Rows per batch of a file. */
const batch = 1_000

/** All users that match in batches, by e-mail address; no transaction stays open between batches. */
export async function* usersInBatches(
  doors: Doors,
  userScope: UserScope,
  filters: UserFilters,
): AsyncGenerator<UserRecord[]> {
  for (let after = ''; ; ) {
    const users = sql`select ${columns} from users u where u.email > ${after} and ${matching(userScope, filters)}
      order by u.email limit ${batch}`
    const rows = await doors.withSystem(
      'people',
      async (db) => {
        const all = described(users, userScope, mostInFile, groupIds(userScope))
        return withGroups(db, (await sql<Unnamed>`${all} order by u.email`.execute(db)).rows, mostInFile)
      },
      'single statement',
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last.email
  }
}
