import { sql } from 'kysely'
import { wrongPriceOrdering, wrongPricesMatching, wrongPriceValues } from '../catalogue/wrong-price.ts'
import { columnsOf } from './columns.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** Prices of machines that are not the wanted ones. */
export const wrongPricesSource: ExportSource<'wrongPrices'> = {
  ...homeOf('merchants'),
  columns: columnsOf('wrongPrices', {
    machine: sql`machine.name`,
    machineSerial: sql`machine.serial`,
    merchant: sql`merchants.name`,
    selection: sql`price.selection`,
    priceTable: sql`price.price_table`,
    wanted: sql`price.wanted`,
    since: sql`price.wrong_since`,
    sales: sql`price.wrong_sales`,
    lost: sql`price.lost`,
    ...wrongPriceValues,
  }),
  open: async (db, order) => rowsOf((await wrongPricesMatching(db, order.filter))(), wrongPriceOrdering(order)),
}
