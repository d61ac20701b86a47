import { sql } from 'kysely'
import { changedProduct, priceChangeOrdering, priceChangesOf } from '../catalogue/price-history.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'

/** The price changes of a machine. Files may be passed on, so they never contain users that are hidden from merchants. */
export const priceChangesSource: ExportSource<'priceChanges'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('priceChanges', 'price_changes', {
    product: sql`${changedProduct}`,
    changedBy: sql`visible.by`,
  }),
  open: async (db, order) => {
    const name = redactedName(
      sql`price_changes.changed_by`,
      sql`price_changes.changed_by_name`,
      await hiddenFrom(db, false),
    )
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const query = priceChangesOf(db, order.posId, order.filter)
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      priceChangeOrdering(order),
    )
  },
}
