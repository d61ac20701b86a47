import { sql } from 'kysely'
import { type MachineState, machineStates } from '#contract/machines/machine-state.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { stockStatuses } from '#contract/vocabulary/stock.ts'
import { fullFromPercent } from '#domain/cash/cash-box.ts'
import { machineStateOf, posStatusByConnection } from '#domain/machines/machine-state.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The POS status of `machines`: the worse of open alarms (`pos_status`) and connection. */
export const posStatusOf = sql<PosStatus>`greatest(machines.pos_status, case machines.connection ${sql.join(
  Object.entries(posStatusByConnection).map(
    ([connection, status]) => sql`when ${sql.lit(Number(connection))} then ${sql.lit(status)}`,
  ),
  sql` `,
)} end)`

/** The main state that the operator sees, by the domain's `machineStateOf`. */
export const stateOf = sql<MachineState>`(case ${sql.join(
  Object.values(posStatuses).flatMap((byAlarms) =>
    Object.values(connections).map(
      (connection) =>
        sql`when machines.pos_status = ${sql.lit(byAlarms)} and machines.connection = ${sql.lit(connection)}
          then ${sql.lit(machineStateOf({ byAlarms, connection }))}`,
    ),
  ),
  sql` `,
)} end)`

/** The place of that state in the order of states, the worst first: a number, since ten thousand texts take longer to compare. */
export const rankOfState = sql<number>`(case ${sql.join(
  Object.values(posStatuses).flatMap((byAlarms) =>
    Object.values(connections).map(
      (connection) =>
        sql`when machines.pos_status = ${sql.lit(byAlarms)} and machines.connection = ${sql.lit(connection)}
          then ${sql.lit(machineStates.indexOf(machineStateOf({ byAlarms, connection })))}`,
    ),
  ),
  sql` `,
)} end)`

/** Whether an open alarm makes its machine need attention: a warning, a blocking alarm, or maintenance. */
export const needsWork = (alarms: string) =>
  sql<boolean>`(${sql.ref(`${alarms}.criticity`)} >= ${sql.lit(alarmCriticities.warning)} or ${sql.ref(`${alarms}.category`)} = 'maintenance')`

/** Whether a selection is sold out, by the reported levels or by an open alarm; the query starts from the few sold-out rows. */
export const isSoldOut = (
  db: TenantDb,
  machines: string,
) => sql<boolean>`((${sql.ref(`${machines}.merchant_id`)}, ${sql.ref(`${machines}.id`)}) in (
  select stock.merchant_id, stock.machine_id from machine_stock stock
  where ${db.narrow('machine_stock', 'stock')} and stock.status = ${sql.lit(stockStatuses.out)} and not stock.gone
  union all
  select open.merchant_id, open.machine_id from alarms open
  where ${db.narrow('alarms', 'open')} and open.status in ('active', 'notification') and open.code like 'ELB%'))`

/** Whether the machine of a row is not hidden. The few hidden machines are read once, not the machine of each row. */
export const isShown = (db: TenantDb, rows: string) => sql<boolean>`not exists (
  select 1 from machines concealed where ${db.own('concealed')} and concealed.hidden
    and concealed.merchant_id = ${sql.ref(`${rows}.merchant_id`)} and concealed.id = ${sql.ref(`${rows}.machine_id`)})`

/** Whether a machine's cash box is to be collected. */
export const isCashBoxFull = (machines: string) =>
  sql<boolean>`(${sql.ref(`${machines}.cash_box_capacity`)} > 0
    and ${sql.ref(`${machines}.cash_in_box`)} * 100 >= ${sql.ref(`${machines}.cash_box_capacity`)} * ${sql.lit(fullFromPercent)})`

/** The cash in the boxes of a merchant's machines, and how many boxes are full. */
export interface BoxesRecord {
  merchantId: string
  cash: number
  fullBoxes: number
}
