import { sql } from 'kysely'
import { machineSumsOf } from '../sales/sales-stats.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

/** Sums by point of sale, as filtered and sorted. */
export const statsByPosSource: ExportSource<'statsByPos'> = {
  ...homeOf('x'),
  merchant: sql`x.merchant_name`,
  columns: {
    posName: { machine: { heading: 'transaction:column.machine', kind: 'text', sql: sql`x.name` } },
    merchant: { merchant: { heading: 'transaction:column.merchant', kind: 'text', sql: sql`x.merchant_name` } },
    serial: { serial: { heading: 'transaction:fact.serial', kind: 'text', sql: sql`x.serial` } },
    count: { count: { heading: 'transaction:stats.count', kind: 'number', sql: sql`x.count` } },
    average: {
      average: {
        heading: 'transaction:stats.average',
        kind: 'amount',
        sql: sql`(case when x.count > 0 then round(x.value::numeric / x.count) else 0 end)::bigint`,
      },
    },
    freeCount: { free: { heading: 'transaction:stats.free', kind: 'number', sql: sql`x.free_count` } },
    errorCount: { errors: { heading: 'transaction:stats.errors', kind: 'number', sql: sql`x.error_count` } },
    share: {
      share: {
        heading: 'export:column.share',
        kind: 'percent',
        sql: sql`coalesce(round(x.value * 10000 / nullif(sum(x.value) over (partition by x.currency), 0)), 0)::bigint`,
      },
    },
    charge: { charge: { heading: 'transaction:column.charge', kind: 'amount', sql: sql`x.value_charge` } },
    value: { value: { heading: 'transaction:stats.sales', kind: 'amount', sql: sql`x.value` } },
  },
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
