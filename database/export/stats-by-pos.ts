import { sql } from 'kysely'
import { machineSumsOf } from '../sales/sales-stats.ts'
import { columnsOf } from './columns.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

/** Sums by machine, filtered and sorted. */
export const statsByPosSource: ExportSource<'statsByPos'> = {
  ...homeOf('x'),
  merchant: sql`x.merchant_name`,
  columns: columnsOf('statsByPos', {
    machine: sql`x.name`,
    merchant: sql`x.merchant_name`,
    serial: sql`x.serial`,
    count: sql`x.count`,
    average: sql`(case when x.count > 0 then round(x.value::numeric / x.count) else 0 end)::bigint`,
    free: sql`x.free_count`,
    errors: sql`x.error_count`,
    share: sql`coalesce(round(x.value * 10000 / nullif(sum(x.value) over (partition by x.currency), 0)), 0)::bigint`,
    charge: sql`x.value_charge`,
    value: sql`x.value`,
  }),
  open: async (db, order) => {
    const sums = machineSumsOf(db, order.filter, order)
    return {
      select: (what, limit) =>
        sql`select ${fieldsOf(what)} from (${sums}) x order by x.place ${
          limit === undefined ? sql`` : sql`limit ${limit}`
        }`,
      count: sql<{ n: number }>`select count(*)::bigint as n from (${sums}) as counted`,
    }
  },
}
