import { sql } from 'kysely'
import { auditOrdering, auditsOf } from '../audits/audit.ts'
import { isWholeCurrency } from '../frame/export/column.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'

const merchants = homeOf('merchants')
/** Audits in an unknown currency have no amounts. */
const currency = sql`coalesce(nullif(audits.currency, 'XXX'), merchants.currency)`

/** The audits of a machine, sorted. */
export const auditsSource: ExportSource<'audits'> = {
  ...merchants,
  home: { ...merchants.home, currency, isWhole: isWholeCurrency(currency) },
  hasOwnCurrencies: true,
  columns: columnsOfTable('audits', 'audits', {
    machineTime: sql`replace(audits.machine_time, 'T', ' ')`,
  }),
  open: async (db, order) => rowsOf(auditsOf(db, order.posId), auditOrdering(order)),
}
