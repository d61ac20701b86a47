import { sql } from 'kysely'
import { roleMay } from '#contract/access.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { visibleOfVisit, visitOrdering, visitsMatching } from '../stock/visits/visit-list.ts'

/** Visits at machines. Files never contain users that are hidden from merchants, and costs only for readers who see products. */
export const visitsSource: ExportSource<'visits'> = {
  ...homeOf('merchants'),
  columns: columnsOf('visits', {
    machine: sql`machines.name`,
    machineSerial: sql`machines.serial`,
    merchant: sql`merchants.name`,
    at: sql`visits.at`,
    by: sql`visible.by`,
    round: sql`rounds.name`,
    loaded: sql`handled.loaded`,
    waste: sql`handled.waste`,
    cashTaken: sql`visits.cash_taken`,
    bagNumber: sql`visits.bag_number`,
    counted: sql`taken.counted`,
    cost: sql`visible.cost`,
    wasted: sql`visible.wasted`,
    note: sql`visits.note`,
  }),
  open: async (db, order, { role }) => {
    const visible = await visibleOfVisit(db, false, roleMay(role, 'product.read'))
    const query = (await visitsMatching(db, order.filter))()
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      visitOrdering(order),
    )
  },
}
