import { sql } from 'kysely'
import { type GroupFilters, type groupOrds, mostGroupsListed } from '#contract/merchants/group.ts'
import { anyOf, literally } from '../frame/conditions.ts'
import { countUpTo, offsetOf, type Page } from '../frame/paging.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { searching } from '../frame/text-search.ts'

/** How many machines are in a group, those that are shown. */
export const machineCount = sql<number>`(select count(*)::int from machines p where p.merchant_id = groups.merchant_id
  and p.group_id = groups.id and not p.hidden)`

/** Groups by a text in their names. Of somebody who sees some groups alone these are looked through; else the text index is. */
export async function groupsMatching(db: TenantDb, { search }: GroupFilters) {
  const isNarrow = db.scope.some(({ groups }) => groups !== 'all')
  if (!search || isNarrow) {
    const where = search ? sql<boolean>`groups.name ilike ${literally(search)}` : sql<boolean>`true`
    return { query: () => db.from('groups').where(where) }
  }
  const { where, counted } = await searching(db, 'groups', search)
  return { query: () => db.from('groups').where(where), counted }
}

/** The first groups of the scope by name, with how many machines they have. */
export async function listGroups(db: TenantDb, { ids, ...filters }: GroupFilters & { ids?: string[] | undefined }) {
  const { query } = await groupsMatching(db, filters)
  const first = query()
    .where(anyOf('groups.id', ids, 'uuid'))
    .select(['groups.id', 'groups.merchant_id', 'groups.name', machineCount.as('machines')])
  return first.orderBy(sql`lower(groups.name)`).orderBy('groups.id').limit(mostGroupsListed).execute()
}

/** A page of groups by name. */
export async function pageGroups(
  db: TenantDb,
  filters: GroupFilters,
  page: Page & { ord?: (typeof groupOrds)[number] | undefined; ordType?: 'ASC' | 'DESC' | undefined },
) {
  const { query, counted = await countUpTo(db, query()) } = await groupsMatching(db, filters)
  const direction = sql.raw(page.ordType === 'DESC' ? 'desc' : 'asc')
  const ordering = sql`lower(groups.name) ${direction}, groups.id ${direction}`
  const ids = await query().select('groups.id').orderBy(ordering).limit(page.size).offset(offsetOf(page)).execute()
  const rows = await db
    .from('groups')
    .innerJoin('merchants', 'merchants.id', 'groups.merchant_id')
    .where(sql<boolean>`groups.id = any(${ids.map(({ id }) => id)}::uuid[])`)
    .select(['groups.id', 'groups.merchant_id', 'groups.name', 'groups.version', machineCount.as('machines')])
    .select('merchants.name as merchant_name')
    .orderBy(ordering)
    .execute()
  return { ...counted, rows }
}

/** How many people have each of these groups among theirs. */
export async function countPeople(
  doors: Doors,
  groups: readonly { merchant_id: string; id: string }[],
): Promise<Map<string, number>> {
  const merchantIds = [...new Set(groups.map(({ merchant_id }) => merchant_id))]
  const rows = await doors.withSystem(
    'group people',
    (db) =>
      db
        .selectFrom('user_groups')
        .where(sql<boolean>`merchant_id = any(${merchantIds}::uuid[])`)
        .where(sql<boolean>`group_id = any(${groups.map(({ id }) => id)}::uuid[])`)
        .select(['group_id', sql<number>`count(*)::int`.as('people')])
        .groupBy('group_id')
        .execute(),
    'single statement',
  )
  return new Map(rows.map(({ group_id, people }) => [group_id, people]))
}

/** Those of the wanted groups that are in the scope, with whose they are. */
export const groupsAmong = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('groups')
    .where('groups.id', 'in', [...ids])
    .select(['groups.id', 'groups.merchant_id'])
    .execute()

/** Those of the wanted groups that are not in the scope. */
export async function foreignGroups(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  return without(ids, await groupsAmong(db, ids))
}

/** Those of the wanted machines that are not in the scope; one that was deleted still has its history there. */
export async function foreignMachines(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('machines')
    .where(db.narrow('machinesEver', 'machines'))
    .where('machines.id', 'in', [...ids])
    .select('machines.id')
    .execute()
  return without(ids, rows)
}

const without = (wanted: readonly string[], found: { id: string }[]) => {
  const known = new Set(found.map((row) => row.id))
  return wanted.filter((id) => !known.has(id))
}
