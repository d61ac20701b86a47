import { sql } from 'kysely'
import { machinesReportOrdering, machinesReportRows } from '../insight/machines-report.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

/** Machines counted by merchant, model and what they are told apart by, as filtered and sorted. */
export const machinesReportSource: ExportSource<'machinesReport'> = {
  ...homeOf('r'),
  // Nothing in it is money.
  home: { ...homeOf('r').home, currency: sql`null::text`, isWhole: sql`true` },
  merchant: sql`r.merchant_name`,
  columns: {
    merchant: { merchant: { heading: 'machines-report:column.merchant', kind: 'text', sql: sql`r.merchant_name` } },
    deviceType: {
      deviceType: {
        heading: 'machines-report:column.deviceType',
        kind: 'word',
        of: 'deviceType',
        sql: sql`r.device_type`,
      },
    },
    firmware: { firmware: { heading: 'machines-report:by.firmware', kind: 'text', sql: sql`r.firmware_version` } },
    connection: {
      connection: { heading: 'machines-report:by.connection', kind: 'word', of: 'connection', sql: sql`r.connection` },
    },
    warranty: {
      warranty: { heading: 'machines-report:by.warranty', kind: 'word', of: 'warrantyState', sql: sql`r.warranty` },
    },
    machines: { machines: { heading: 'machines-report:column.machines', kind: 'number', sql: sql`r.machines` } },
    created: { created: { heading: 'machines-report:column.created', kind: 'number', sql: sql`r.created` } },
    withoutData: {
      withoutData: { heading: 'machines-report:column.withoutData', kind: 'number', sql: sql`r.without_data` },
    },
    lastSeenAt: {
      lastSeenAt: { heading: 'machines-report:column.lastSeen', kind: 'instant', sql: sql`r.last_seen_at` },
    },
  },
  open: async (db, order) => {
    const report = machinesReportRows(db, order.filter)
    const ordering = machinesReportOrdering(order)
    return {
      select: (what, limit) =>
        sql`select ${fieldsOf(what)} from (${report}) r order by ${ordering} ${
          limit === undefined ? sql`` : sql`limit ${limit}`
        }`,
      count: sql<{ n: number }>`select count(*)::bigint as n from (${report}) as counted`,
    }
  },
}
