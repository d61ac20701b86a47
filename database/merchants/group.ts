import { sql } from 'kysely'
import { type GroupFilters, mostGroupsListed } from '#contract/merchants/group.ts'
import { anyOf } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** The number of machines in a group that are not hidden. */
const shownMachines = (db: TenantDb) => sql<number>`(select count(*)::int from machines m
  where ${db.own('m')} and m.merchant_id = groups.merchant_id and m.group_id = groups.id and not m.hidden
    and ${db.narrow('machines', 'm')})`

export const groupList = recordList({
  list: 'groups',
  table: 'groups',
  sums: { of: ['machines'] },
  beside: { machines: shownMachines },
})

/** The first groups of the scope by name, with their numbers of machines. */
export async function listGroups(db: TenantDb, { ids, ...filters }: GroupFilters & { ids?: string[] | undefined }) {
  const { where } = await groupList.matching(db, filters)
  const first = db
    .from('groups')
    .where(where)
    .where(anyOf('groups.id', ids, 'uuid'))
    .select(['groups.id', 'groups.merchant_id', 'groups.name', shownMachines(db).as('machines')])
  return first.orderBy(sql`lower(groups.name)`).orderBy('groups.id').limit(mostGroupsListed).execute()
}

/** The number of users assigned to each of these groups. */
export async function countUsers(
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

/** The groups among these ids that are in the scope, with their merchants. */
export const groupsAmong = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('groups')
    .where('groups.id', 'in', [...ids])
    .select(['groups.id', 'groups.merchant_id'])
    .execute()

/** The groups among these ids that are not in the scope. */
export async function foreignGroups(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  return without(ids, await groupsAmong(db, ids))
}

/** The machines among these ids that are not in the scope; a deleted machine still has its history there. */
export async function foreignMachines(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('machines')
    .where(db.narrow('machinesEver', 'machines'))
    .where('machines.id', 'in', [...ids])
    .select('machines.id')
    .execute()
  return without(ids, rows)
}

const without = (ids: readonly string[], existing: { id: string }[]) => {
  const existingIds = new Set(existing.map((row) => row.id))
  return ids.filter((id) => !existingIds.has(id))
}
