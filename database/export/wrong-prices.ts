import { sql } from 'kysely'
import { wrongPriceOrdering, wrongPricesMatching, wrongPriceValues } from '../catalogue/wrong-price/wrong-price.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'

/** Wrong prices of machines. Files may be passed on, so they never contain users that are hidden from merchants. */
export const wrongPricesSource: ExportSource<'wrongPrices'> = {
  ...homeOf('merchants'),
  columns: columnsOf('wrongPrices', {
    machine: sql`machine.name`,
    machineSerial: sql`machine.serial`,
    merchant: sql`merchants.name`,
    selection: sql`price.selection`,
    priceTable: sql`price.price_table`,
    wanted: sql`price.wanted`,
    actual: sql`price.actual`,
    status: sql`price.status`,
    fault: sql`price.fault`,
    since: sql`price.since`,
    sales: sql`price.sales`,
    lost: sql`price.lost`,
    closedAt: sql`price.closed_at`,
    closedBy: sql`visible.by`,
    note: sql`price.note`,
    ...wrongPriceValues,
  }),
  open: async (db, order) => {
    const name = redactedName(sql`price.closed_by`, sql`price.closed_by_name`, await hiddenFrom(db, false))
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const matching = await wrongPricesMatching(db, order.filter)
    return rowsOf(
      matching().innerJoinLateral(visible, (join) => join.onTrue()),
      wrongPriceOrdering(order),
    )
  },
}
