import { sql } from 'kysely'
import { columnsOf, columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import { movedProduct, movementOrdering, movementsMatching } from '../stock/movement-list.ts'
import { suppliesMatching, supplyOrdering, supplyStatus } from '../stock/supply.ts'

/** Managed machines with their stock in a few numbers. */
export const suppliesSource: ExportSource<'supplies'> = {
  ...homeOf('merchants'),
  columns: columnsOf('supplies', {
    machine: sql`machine.name`,
    machineSerial: sql`machine.serial`,
    merchant: sql`merchants.name`,
    // Files write states in words.
    status: sql`(case ${supplyStatus} when 1 then 'out' when 4 then 'low' else 'inStock' end)`,
    emptyAt: sql`supply.empty_at`,
    fill: sql`supply.fill_percent`,
    out: sql`supply.out`,
    low: sql`supply.low`,
    differing: sql`supply.differing`,
    waiting: sql`supply.waiting`,
    countedBy: sql`machine.stock_counted_by`,
    lost: sql`supply.lost_per_day`,
    groupName: sql`groups.name`,
    client: sql`clients.name`,
    planogram: sql`planograms.name`,
  }),
  open: async (db, order) => rowsOf((await suppliesMatching(db, order.filter))(), supplyOrdering(order)),
}

/** The stock movements of a machine. Files may be passed on, so they never contain users that are hidden from merchants. */
export const stockMovementsSource: ExportSource<'stockMovements'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('stockMovements', 'stock_entries', { product: movedProduct, changedBy: sql`visible.by` }),
  open: async (db, order) => {
    const name = redactedName(
      sql`stock_entries.changed_by`,
      sql`stock_entries.changed_by_name`,
      await hiddenFrom(db, false),
    )
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const query = (await movementsMatching(db, order.posId, order.filter))()
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      movementOrdering(order),
    )
  },
}
