import { sql } from 'kysely'
import type { ExportOrderOf } from '#contract/frame/export.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  daysShown,
  filteredMachines,
  machineOrdering,
  needsWork,
  posStatusOf,
  prepaidUntil,
  stateOf,
} from '../machines/machine.ts'
import { isSale, vends } from '../sales/sales.ts'
import { sumsWithin } from '../sales/summed-sales.ts'
import { columnsOfTable } from './columns.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

const openAlarms = sql`a.merchant_id = machines.merchant_id and a.machine_id = machines.id and a.status in ('active', 'notification')`

/** Sums of a machine's sales from some local days ago until now. */
const sold = (what: typeof value, days: number) => sql`(select coalesce(${what}, 0)
  from (select merchants.id, merchants.time_zone, (now() at time zone merchants.time_zone)::date as day) m
  cross join lateral (${sumsWithin({ from: sql`m.day - ${sql.lit(days)}::int`, to: sql`m.day` }, ofMachine)}) s)`
const ofMachine = () => sql`t.machine_id = machines.id and ${isSale('t')}`
const value = sql`sum(s.value)::bigint`

/** Machines, as filtered and sorted. */
export const machinesSource: ExportSource<'machines'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('machines', 'machines', {
    state: stateOf,
    posStatus: posStatusOf,
    group: sql`groups.name`,
    merchant: sql`merchants.name`,
    worstAlarm: sql`(select a.code from alarms a where ${openAlarms} and ${needsWork('a')} order by a.criticity desc, a.created_at limit 1)`,
    signal: sql`machines.signal_percent`,
    salesOfDays: sold(value, daysShown - 1),
    salesToday: sold(value, 0),
    vendsToday: sold(sql`${vends('s')}::bigint`, 0),
    openAlarms: sql`(select count(*) from alarms a where ${openAlarms})`,
    firmware: sql`machines.firmware_version`,
    client: sql`clients.name`,
    prepaidUntil: sql`prepaid.until`,
  }),
  open: async (db: TenantDb, order: ExportOrderOf<'machines'>) => {
    const prepaid = sql<{ until: string | null }>`(select ${prepaidUntil(db)} as until)`.as('prepaid')
    const matching = await filteredMachines(db, order.filter)
    const machines = matching().innerJoinLateral(prepaid, (join) => join.onTrue())
    return rowsOf(machines, machineOrdering(order))
  },
}
