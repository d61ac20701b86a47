import { sql } from 'kysely'
import { roleMay } from '#contract/access.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { lossCosts, lossesMatching, lossOrdering } from '../warehouse/piece-loss-list.ts'

/** Losses of warehouses and vans. Files never contain users that are hidden from merchants, and costs only for readers who see products. */
export const pieceLossesSource: ExportSource<'pieceLosses'> = {
  ...homeOf('merchants'),
  columns: columnsOf('pieceLosses', {
    product: sql`loss.product`,
    merchant: sql`merchants.name`,
    at: sql`loss.at`,
    kind: sql`loss.kind`,
    place: sql`loss.place`,
    driver: sql`loss.driver`,
    lotCode: sql`loss.lot_code`,
    pieces: sql`loss.pieces`,
    unitCost: sql`visible.unit_cost`,
    value: sql`visible.value`,
    note: sql`loss.note`,
    by: sql`loss.by`,
  }),
  open: async (db, order, { role }) => {
    const { unitCost, value } = lossCosts(roleMay(role, 'product.read'))
    const visible = sql<object>`(select ${unitCost} as unit_cost, ${value} as value)`.as('visible')
    const query = (await lossesMatching(db, order.filter, false))()
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      lossOrdering(order),
    )
  },
}
