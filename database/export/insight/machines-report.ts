import { sql } from 'kysely'
import { columnsOf } from '../../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../../frame/export/source.ts'
import { machinesReportOrdering, machinesReportRows } from '../../insight/machines-report.ts'

/** Machines counted by merchant, model and grouping, filtered and sorted. */
export const machinesReportSource: ExportSource<'machinesReport'> = {
  ...homeOf('r'),
  // It has no amounts.
  home: { ...homeOf('r').home, currency: sql`null::text`, isWhole: sql`true` },
  merchant: sql`r.merchant_name`,
  columns: columnsOf('machinesReport', {
    merchant: sql`r.merchant_name`,
    deviceType: sql`r.device_type`,
    firmware: sql`r.firmware_version`,
    connection: sql`r.connection`,
    warranty: sql`r.warranty`,
    machines: sql`r.machines`,
    created: sql`r.created`,
    withoutData: sql`r.without_data`,
    lastSeenAt: sql`r.last_seen_at`,
  }),
  open: async (db, order) => {
    const report = machinesReportRows(db, order.filter)
    const ordering = machinesReportOrdering(order)
    return {
      order: ordering,
      select: (what, limit) =>
        sql`select ${fieldsOf(what)} from (${report}) r order by ${ordering} ${
          limit === undefined ? sql`` : sql`limit ${limit}`
        }`,
      count: sql<{ n: number }>`select count(*)::bigint as n from (${report}) as counted`,
    }
  },
}
