import { sql } from 'kysely'
import type { NoVendMachineFilters, noVendMachineOrds } from '#contract/catalogue/no-vend-assignment.ts'
import { rankOfState, stateOf } from '../facts/machine-state.ts'
import { machinesFound } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isNoVendInSync } from './no-vend-sync.ts'

type Ord = (typeof noVendMachineOrds)[number]

const orderingOf = (db: TenantDb) =>
  orderOf<Ord>({
    by: {
      inSync: isNoVendInSync(db, 'machines'),
      name: sql`machines.name_order`,
      serial: sql`machines.serial`,
      groupName: sql`lower(groups.name)`,
      state: rankOfState,
    },
    first: 'name',
    ties: sql`machines.id`,
  })

/** A page of the machines of the scope with a profile, including hidden ones. */
export async function listNoVendMachines(
  db: TenantDb,
  profile: RecordKey,
  query: NoVendMachineFilters & Page & Sorted<Ord>,
) {
  const isFound = await machinesFound(db, query.search)
  const matching = () =>
    db
      .from('machines')
      .where('machines.merchant_id', '=', profile.merchant_id)
      .where('machines.no_vend_profile_id', '=', profile.id)
      .where(isFound('machines.id'))
  return pageOf(db, query, {
    matching,
    order: orderingOf(db)(query),
    select: (machines) =>
      machines
        .leftJoin('groups', (join) =>
          join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
        )
        .leftJoin('custom_configurations', (join) =>
          join
            .onRef('custom_configurations.merchant_id', '=', 'machines.merchant_id')
            .onRef('custom_configurations.machine_id', '=', 'machines.id'),
        )
        .select(['machines.id', 'machines.merchant_id', 'machines.name', 'machines.serial', 'machines.hidden'])
        .select(['machines.group_id', 'groups.name as group_name', 'custom_configurations.parameters'])
        .select([stateOf.as('state'), isNoVendInSync(db, 'machines').as('in_sync')]),
  })
}

export type NoVendMachineRecord = Awaited<ReturnType<typeof listNoVendMachines>>['rows'][number]
