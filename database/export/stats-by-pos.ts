import { sql } from 'kysely'
import { comparedPeriods, periodsWithData } from '#domain/time/comparison.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../frame/export/source.ts'
import { firstDayOf } from '../sales/first-day.ts'
import { machineSumsOf } from '../sales/sales-stats.ts'

const change = (figure: 'value' | 'count') => {
  const before = sql.ref(`x.${figure}_before`)
  return sql`(case when ${before} > 0 then round((${sql.ref(`x.${figure}`)} / ${before} - 1) * 10000) end)::bigint`
}

/** Sums by machine, filtered and sorted. */
export const statsByPosSource: ExportSource<'statsByPos'> = {
  ...homeOf('x'),
  merchant: sql`x.merchant_name`,
  columns: columnsOf('statsByPos', {
    machine: sql`x.name`,
    merchant: sql`x.merchant_name`,
    serial: sql`x.serial`,
    count: sql`x.count`,
    average: sql`coalesce(round(x.value::numeric / nullif(x.count - x.error_count, 0)), 0)::bigint`,
    free: sql`x.free_count`,
    errors: sql`x.error_count`,
    failedCharge: sql`x.error_value`,
    share: sql`coalesce(round(x.value * 10000 / nullif(sum(x.value) over (partition by x.currency), 0)), 0)::bigint`,
    charge: sql`x.value_charge`,
    countBefore: sql`round(x.count_before)::bigint`,
    countChange: change('count'),
    valueBefore: sql`round(x.value_before)::bigint`,
    change: change('value'),
    value: sql`x.value`,
  }),
  open: async (db, order) => {
    const { compare, preset, ...filters } = order.filter
    const periods = compare
      ? periodsWithData(comparedPeriods(compare, filters, preset), await firstDayOf(db, filters))
      : []
    const sums = await machineSumsOf(db, filters, order, periods)
    return {
      select: (what, limit) =>
        sql`select ${fieldsOf(what)} from (${sums}) x order by x.place ${
          limit === undefined ? sql`` : sql`limit ${limit}`
        }`,
      count: sql<{ n: number }>`select count(*)::bigint as n from (${sums}) as counted`,
    }
  },
}
