import { sql } from 'kysely'
import {
  plannedPriceOrdering,
  plannedPricesMatching,
  plannedProduct,
  planValues,
  pricePlanOrdering,
  pricePlansMatching,
} from '../catalogue/price-plan.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'

/** Plans of prices. Files may be passed on, so they never contain users that are hidden from merchants. */
export const pricePlansSource: ExportSource<'pricePlans'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('pricePlans', 'price_plans', {
    merchant: sql`merchants.name`,
    status: sql`shown.status`,
    machines: sql`shown.machines`,
    prices: sql`shown.prices`,
    createdBy: sql`shown.created_by`,
    cancelledBy: sql`shown.cancelled_by`,
  }),
  open: async (db, order) => {
    const hidden = await hiddenFrom(db, false)
    const { status, machines, prices } = planValues(db)
    const nameOf = (act: 'created' | 'cancelled') =>
      redactedName(sql.ref(`price_plans.${act}_by`), sql.ref(`price_plans.${act}_by_name`), hidden)
    const listed = sql<object>`(select ${status} as status, ${machines} as machines, ${prices} as prices,
      ${nameOf('created')} as created_by, ${nameOf('cancelled')} as cancelled_by)`.as('shown')
    const matching = pricePlansMatching(db, order.filter)
    return rowsOf(
      matching().innerJoinLateral(listed, (join) => join.onTrue()),
      pricePlanOrdering(db)(order),
    )
  },
}

/** Planned prices of machines. */
export const plannedPricesSource: ExportSource<'plannedPrices'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('plannedPrices', 'planned_prices', {
    machine: sql`machine.name`,
    merchant: sql`merchants.name`,
    product: plannedProduct,
  }),
  open: async (db, order) => rowsOf((await plannedPricesMatching(db, order.filter))(), plannedPriceOrdering(order)),
}
