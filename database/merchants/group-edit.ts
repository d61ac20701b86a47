import { sql } from 'kysely'
import { type GroupBlockers, type groupPersonOrds, mostBlockers } from '#contract/merchants/group.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { among } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { noteLastPlaces } from '../sales/former-terms.ts'
import { noteRegrouped } from '../sales/regroup.ts'

/** Whether the scope has no other group of the merchant. */
export async function isOnlyGroup(db: TenantDb, { merchant_id, id }: RecordKey): Promise<boolean> {
  const others = db.from('groups').where('groups.merchant_id', '=', merchant_id).where('groups.id', '<>', id)
  return (await others.select('groups.id').limit(1).executeTakeFirst()) === undefined
}

/** Machines that block the deletion of a group, including hidden ones. */
export async function machinesIn(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
): Promise<{ count: number; first: GroupBlockers['firstMachines'] }> {
  const rows = await db
    .from('machines')
    .where('machines.merchant_id', '=', merchant_id)
    .where('machines.group_id', '=', id)
    .select(['machines.id', 'machines.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('machines.name')
    .limit(mostBlockers)
    .execute()
  return { count: rows[0]?.n ?? 0, first: rows.map((row) => ({ id: row.id, name: row.name })) }
}

/** Users who are assigned to one of these groups of a merchant, by name. */
export const usersOfGroups = (doors: Doors, merchantId: string, groupIds: readonly string[]) =>
  doors.withSystem(
    'group people',
    (db) =>
      db
        .selectFrom('user_groups')
        .innerJoin('users', 'users.id', 'user_groups.user_id')
        .where('user_groups.merchant_id', '=', merchantId)
        .where(among('user_groups.group_id', groupIds, 'uuid'))
        .select(['users.id', 'users.name', 'users.invisible_to_merchants'])
        .distinct()
        .orderBy('users.name')
        .orderBy('users.id')
        .execute(),
    'single statement',
  )

type PersonOrd = (typeof groupPersonOrds)[number]
const personOrdering = orderOf<PersonOrd>({
  by: { name: sql`lower(users.name)`, email: sql`lower(users.email)`, role: sql`users.role` },
  first: 'name',
  ties: sql`users.id`,
})

/** A page of these users by name, with e-mail address and role. */
export const pageOfUsers = (
  doors: Doors,
  { merchant_id, id }: RecordKey,
  page: Page & Sorted<PersonOrd>,
  /** Whether users hidden from merchants are included. */
  seesInvisible: boolean,
) =>
  doors.withSystem('group people', async (db) => {
    const users = db
      .selectFrom('user_groups')
      .innerJoin('users', 'users.id', 'user_groups.user_id')
      .where('user_groups.merchant_id', '=', merchant_id)
      .where('user_groups.group_id', '=', id)
      .where(seesInvisible ? sql<boolean>`true` : sql<boolean>`not users.invisible_to_merchants`)
    return pageOf({ query: db }, page, {
      matching: () => users,
      order: personOrdering(page),
      select: (some) => some.select(['users.id', 'users.name', 'users.email', sql<Role>`users.role`.as('role')]),
    })
  })

/** Assigns a group to a user who sees some groups of its merchant. */
export const giveGroup = (doors: Doors, userId: string, { merchant_id, id }: RecordKey) =>
  doors.withSystem(
    'group people',
    (db) => db.insertInto('user_groups').values({ user_id: userId, merchant_id, group_id: id }).execute(),
    'single statement',
  )

/** Removes a group from a user. Returns whether it was assigned. */
export async function takeGroup(doors: Doors, userId: string, { merchant_id, id }: RecordKey): Promise<boolean> {
  const { numDeletedRows } = await doors.withSystem(
    'group people',
    (db) =>
      db
        .deleteFrom('user_groups')
        .where('user_id', '=', userId)
        .where('merchant_id', '=', merchant_id)
        .where('group_id', '=', id)
        .executeTakeFirst(),
    'single statement',
  )
  return numDeletedRows > 0n
}

/** Removes deleted machines from a group; they were kept in it for users with some groups. */
export async function forgetDeletedMachines(db: TenantDb, { merchant_id, id }: RecordKey, now: Date): Promise<void> {
  const deleted = await db.query
    .selectFrom('machines')
    .where('merchant_id', '=', merchant_id)
    .where('group_id', '=', id)
    .where('deleted_at', 'is not', null)
    .select('id')
    .execute()
  await noteLastPlaces(
    db,
    merchant_id,
    deleted.map((machine) => machine.id),
    now,
  )
  const left = await db.query
    .updateTable('machines')
    .set({ group_id: null })
    .where('merchant_id', '=', merchant_id)
    .where('group_id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute()
  await noteRegrouped(
    db,
    left.map((machine) => ({ merchantId: merchant_id, machineId: machine.id, groupId: id })),
  )
}
