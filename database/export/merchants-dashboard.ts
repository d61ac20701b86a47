import { sql } from 'kysely'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../frame/export/source.ts'
import {
  merchantsDashboardOrdering,
  merchantsDashboardRows,
  merchantsMatching,
  soldToday,
} from '../sales/merchants-dashboard.ts'

const value = sql`coalesce(sold.value, 0)`
const usual = sql`coalesce(sold."usualValueByNow", 0)`

/** Merchants with their current state, filtered and sorted. */
export const merchantsDashboardSource: ExportSource<'merchantsDashboard'> = {
  ...homeOf('merchants'),
  columns: columnsOf('merchantsDashboard', {
    // Named like the merchant column that files of several merchants get, so that it appears once.
    merchant: sql`x.name`,
    isDemo: sql`x."isDemo"`,
    blockingAlarms: sql`x."blockingAlarms"`,
    blocked: sql`x.blocked`,
    silent: sql`x.silent`,
    warning: sql`x.warning`,
    selling: sql`x.selling`,
    machines: sql`x.machines`,
    usual,
    against: sql`round((${value} - ${usual}) * 10000.0 / nullif(${usual}, 0))::bigint`,
    usualDays: sql`coalesce(sold."usualDays", 0)`,
    value,
    vends: sql`coalesce(sold.vends, 0)`,
  }),
  open: async (db, order) => {
    const ordering = merchantsDashboardOrdering(order)
    const rows = merchantsDashboardRows(db, order.filter)
    const sold = soldToday(db, sql<boolean>`m.id in (select id from x)`, new Date())
    return {
      order: ordering,
      select: (what, limit) => sql`
        with x as materialized (
          select * from (${rows}) x order by ${ordering} ${limit === undefined ? sql`` : sql`limit ${limit}`})
        select ${fieldsOf(what)} from x join merchants on merchants.id = x.id
        left join (${sold}) sold on sold."merchantId" = x.id order by ${ordering}`,
      count: sql<{ n: number }>`select count(*)::bigint as n
        from (${merchantsMatching(db, order.filter).select(sql`1`.as('one'))}) counted`,
    }
  },
}
