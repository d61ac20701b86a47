import { sql } from 'kysely'
import { auditOrdering, auditsOf } from '../audits/audit.ts'
import { isWholeCurrency } from './column.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

const merchants = homeOf('merchants')
/** Of no currency that is known here there are no amounts. */
const currency = sql`coalesce(nullif(audits.currency, 'XXX'), merchants.currency)`

/** The audits of a machine, sorted. */
export const auditsSource: ExportSource<'audits'> = {
  ...merchants,
  home: { ...merchants.home, currency, isWhole: isWholeCurrency(currency) },
  hasOwnCurrencies: true,
  columns: {
    readAt: { readAt: { heading: 'audit:column.readAt', kind: 'instant', sql: sql`audits.read_at` } },
    origin: { origin: { heading: 'audit:column.origin', kind: 'word', of: 'auditOrigin', sql: sql`audits.origin` } },
    port: { port: { heading: 'audit:column.port', kind: 'word', of: 'auditPort', sql: sql`audits.port` } },
    crc: { crc: { heading: 'audit:column.crc', kind: 'word', of: 'crc', sql: sql`audits.crc` } },
    warnings: { warnings: { heading: 'audit:column.warnings', kind: 'number', sql: sql`audits.warnings` } },
    salesTotal: { salesTotal: { heading: 'audit:column.salesTotal', kind: 'amount', sql: sql`audits.sales_total` } },
    vendsTotal: { vendsTotal: { heading: 'audit:column.vendsTotal', kind: 'number', sql: sql`audits.vends_total` } },
    selectionsTotal: {
      selectionsTotal: {
        heading: 'audit:column.selectionsTotal',
        kind: 'amount',
        sql: sql`audits.selections_total`,
      },
    },
    machineTime: {
      machineTime: {
        heading: 'audit:column.machineTime',
        kind: 'text',
        sql: sql`replace(audits.machine_time, 'T', ' ')`,
      },
    },
    size: { size: { heading: 'export:column.size', kind: 'number', sql: sql`audits.size` } },
    id: { id: { heading: 'export:column.id', kind: 'plain', sql: sql`audits.id` } },
  },
  open: async (db, order) => rowsOf(auditsOf(db, order.posId), auditOrdering(order)),
}
