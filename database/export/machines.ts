import { sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export/export.ts'
import { needsWork, posStatusOf, stateOf } from '../facts/machine-state.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { seenBox } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { daysShown, filteredMachines, machineOrdering, prepaidUntil } from '../machines/machine.ts'
import { isSale, vends } from '../sales/sales.ts'
import { sumsWithin } from '../sales/summed-sales.ts'

const openAlarms = (db: TenantDb) =>
  sql`${db.own('a')} and a.merchant_id = machines.merchant_id and a.machine_id = machines.id and a.status in ('active', 'notification')`

/** Sums of a machine's sales over the last local days. */
const sold = (db: TenantDb, what: typeof value, days: number) => sql`(select coalesce(${what}, 0)
  from (select merchants.id, merchants.time_zone, (now() at time zone merchants.time_zone)::date as day) m
  cross join lateral (${sumsWithin(db, { from: sql`m.day - ${sql.lit(days)}::int`, to: sql`m.day` }, () => ofMachine(db))}) s)`
const ofMachine = (db: TenantDb) => sql`${db.own('t')} and t.machine_id = machines.id and ${isSale('t')}`
const value = sql`sum(s.value)::bigint`

/** Joined to each machine. Unused columns cost nothing: the planner removes them. */
const factsOf = (db: TenantDb) => sql<
  Record<(typeof facts)[number], unknown>
>`(select ${seenBox(db, sql`machines.cash_in_box`, 'machines')} as cash_in_box, ${prepaidUntil(db)} as prepaid_until,
  (select a.code from alarms a where ${openAlarms(db)} and ${needsWork('a')}
    order by a.criticity desc, a.created_at limit 1) as worst_alarm,
  (select count(*) from alarms a where ${openAlarms(db)}) as open_alarms,
  ${sold(db, value, daysShown - 1)} as sales_of_days, ${sold(db, value, 0)} as sales_today,
  ${sold(db, sql`${vends('s')}::bigint`, 0)} as vends_today)`
const facts = [
  'cash_in_box',
  'prepaid_until',
  'worst_alarm',
  'open_alarms',
  'sales_of_days',
  'sales_today',
  'vends_today',
] as const

/** Machines, filtered and sorted. */
export const machinesSource: ExportSource<'machines'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('machines', 'machines', {
    state: stateOf,
    posStatus: posStatusOf,
    group: sql`groups.name`,
    merchant: sql`merchants.name`,
    worstAlarm: sql`facts.worst_alarm`,
    signal: sql`machines.signal_percent`,
    salesOfDays: sql`facts.sales_of_days`,
    salesToday: sql`facts.sales_today`,
    vendsToday: sql`facts.vends_today`,
    openAlarms: sql`facts.open_alarms`,
    cashInBox: sql`facts.cash_in_box`,
    firmware: sql`machines.firmware_version`,
    client: sql`clients.name`,
    prepaidUntil: sql`facts.prepaid_until`,
  }),
  open: async (db: TenantDb, order: ExportOrderOf<'machines'>) => {
    const matching = await filteredMachines(db, order.filter)
    const machines = matching().innerJoinLateral(factsOf(db).as('facts'), (join) => join.onTrue())
    return rowsOf(machines, machineOrdering(db)(order))
  },
}
