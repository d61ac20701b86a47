import { sql } from 'kysely'
import { mcbf } from '../../alarms/mcbf.ts'
import { columnsOf } from '../../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../../frame/export/source.ts'
import { kpiPeriodOf, posKpiOrdering, posKpiRows } from '../../insight/distributor-kpis.ts'

const hundredths = (part: string, whole: string) =>
  sql`round(${sql.ref(`x.${part}`)} * 10000.0 / nullif(${sql.raw(whole)}, 0))::bigint`
const hours = (seconds: string) => sql`round(${sql.ref(`x.${seconds}`)} / 3600.0, 1)`

/** Machines with their KPIs, filtered and sorted. */
export const posKpisSource: ExportSource<'posKpis'> = {
  ...homeOf('x'),
  // It has no amounts.
  home: { ...homeOf('x').home, currency: sql`null::text`, isWhole: sql`true` },
  merchant: sql`x.merchant_name`,
  merchantId: sql`x.merchant_id`,
  columns: columnsOf('posKpis', {
    machine: sql`x.name`,
    merchant: sql`x.merchant_name`,
    serial: sql`x.serial`,
    deviceType: sql`x.device_type`,
    firmware: sql`x.firmware_version`,
    rejectionRate: hundredths('rejected', 'x.accepted + x.rejected'),
    rejected: sql`x.rejected`,
    accepted: sql`x.accepted`,
    blockedShare: hundredths('blocked_seconds', 'x.seconds'),
    blockedHours: hours('blocked_seconds'),
    absentShare: hundredths('absent_seconds', 'x.seconds'),
    absentHours: hours('absent_seconds'),
    mcbf: mcbf(sql`x.cycles`, sql`x.faults`),
    cycles: sql`x.cycles`,
    faults: sql`x.faults`,
    blockingAlarms: sql`x.blocking_alarms`,
  }),
  open: async (db, order) => {
    const now = new Date()
    const machines = await posKpiRows(db, order.filter, await kpiPeriodOf(db, order.filter, now), now)
    return {
      order: posKpiOrdering(order),
      select: (what, limit) =>
        sql`select ${fieldsOf(what)} from (${machines}) x order by ${posKpiOrdering(order)} ${
          limit === undefined ? sql`` : sql`limit ${limit}`
        }`,
      count: sql<{ n: number }>`select count(*)::bigint as n from (${machines}) as counted`,
    }
  },
}
