import { sql } from 'kysely'
import type { AssignedFilters, assignedOrds } from '#contract/machines/assigned-machine.ts'
import { rankOfState, stateOf } from '../facts/machine-state.ts'
import { among, machinesFound } from '../frame/conditions.ts'
import { heldApart } from '../frame/held-apart.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import { chosenOf, type Selection } from '../frame/selection.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { noteFormerPlaces } from '../sales/former-terms.ts'
import { noteNewGroups } from '../sales/regroup.ts'

/** A target of assignments: a group, a client or a planogram of a merchant. */
export interface Assignee {
  merchant_id: string
  id: string
  column: 'group_id' | 'client_id' | 'planogram_id'
}

type Ord = (typeof assignedOrds)[number]

const ordering = orderOf<Ord>({
  by: {
    name: sql`machines.name_order`,
    serial: sql`machines.serial`,
    groupName: sql`lower(groups.name)`,
    clientName: sql`lower(clients.name)`,
    address: sql`lower(machines.address)`,
    state: rankOfState,
  },
  first: 'name',
  ties: sql`machines.id`,
})

/** A query on assigned machines of the scope, including hidden ones; or on unassigned machines that are not hidden. */
async function assignedMatching(
  db: TenantDb,
  { merchant_id, id, column }: Assignee,
  { search, others = false }: AssignedFilters,
) {
  const isFound = await machinesFound(db, search)
  return () => {
    const at = sql.ref(`machines.${column}`)
    const query = db
      .from('machines')
      .leftJoin('groups', (join) =>
        join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
      )
      .leftJoin('clients', (join) =>
        join.onRef('clients.merchant_id', '=', 'machines.merchant_id').onRef('clients.id', '=', 'machines.client_id'),
      )
      .leftJoin('planograms', (join) =>
        join
          .onRef('planograms.merchant_id', '=', 'machines.merchant_id')
          .onRef('planograms.id', '=', 'machines.planogram_id'),
      )
      .where('machines.merchant_id', '=', merchant_id)
      .where(others ? sql<boolean>`${at} is distinct from ${id}::uuid` : sql<boolean>`${at} = ${id}::uuid`)
    const visible = others ? query.where('machines.hidden', '=', false) : query
    return visible.where(isFound('machines.id'))
  }
}

/** A page of assigned or unassigned machines. */
export const listAssigned = async (db: TenantDb, to: Assignee, query: AssignedFilters & Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: await assignedMatching(db, to, query),
    order: ordering(query),
    select: (machines) =>
      machines.select([
        'machines.id',
        'machines.merchant_id',
        'machines.name',
        'machines.serial',
        'machines.device_type',
        'machines.address',
        'machines.hidden',
        'machines.group_id',
        'groups.name as group_name',
        'machines.client_id',
        'clients.name as client_name',
        'machines.planogram_id',
        'planograms.name as planogram_name',
        stateOf.as('state'),
      ]),
  })
export type AssignedRecord = Awaited<ReturnType<typeof listAssigned>>['rows'][number]

/** The ids of the selected machines that lie in the scope. */
export const chosenMachines = (db: TenantDb, to: Assignee, selection: Selection<AssignedFilters>) =>
  chosenOf(db, 'machines', selection, (filters) => assignedMatching(db, to, filters))

/** The assignments of machines of the scope, locked until the transaction ends. */
export const machinesToAssign = (db: TenantDb, ids: readonly string[]) =>
  heldApart(db, 'machines', ids, (of) =>
    of
      .from('machines')
      .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
      .select(['merchant_id', 'id', 'group_id', 'client_id', 'planogram_id'])
      .orderBy('machines.id')
      .forUpdate('machines')
      .execute(),
  )
export type HeldMachine = Awaited<ReturnType<typeof machinesToAssign>>[number]

/** Assigns machines of the scope, or removes their assignment (null id), and increments their versions. */
export async function assignMachines(
  db: TenantDb,
  column: Assignee['column'],
  id: string | null,
  machineIds: readonly string[],
  now: Date,
): Promise<void> {
  if (machineIds.length === 0) return
  if (column !== 'planogram_id')
    await noteFormerPlaces(
      db,
      machineIds.map((machineId) => ({ id: machineId, [column]: id })),
      now,
    )
  if (column === 'group_id') await noteNewGroups(db, new Map(machineIds.map((machineId) => [machineId, id])))
  await db.query
    .updateTable('machines')
    .set({ [column]: id, updated_at: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where(db.narrow('machines'))
    .where(among('machines.id', machineIds, 'uuid'))
    .execute()
}
