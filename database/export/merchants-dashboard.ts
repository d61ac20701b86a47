import { type RawBuilder, sql } from 'kysely'
import {
  merchantsDashboardOrdering,
  merchantsDashboardRows,
  merchantsMatching,
  soldToday,
} from '../sales/merchants-dashboard.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

const number = (heading: string, value: RawBuilder<unknown>) => ({ heading, kind: 'number', sql: value }) as const

const silent = number('vocabulary:machineState.silent', sql`x.silent`)
const [value, usual] = [sql`coalesce(sold.value, 0)`, sql`coalesce(sold."usualValueByNow", 0)`]

/** Merchants as they stand now, as filtered and sorted. */
export const merchantsDashboardSource: ExportSource<'merchantsDashboard'> = {
  ...homeOf('merchants'),
  columns: {
    // By the name that a file of many merchants has for whose a row is, so that it stands there once.
    name: { merchant: { heading: 'merchants-dashboard:column.merchant', kind: 'text', sql: sql`x.name` } },
    isDemo: { isDemo: { heading: 'merchants-dashboard:demo', kind: 'flag', sql: sql`x."isDemo"` } },
    blockingAlarms: {
      blockingAlarms: number('merchants-dashboard:column.blockingAlarms', sql`x."blockingAlarms"`),
    },
    states: {
      blocked: number('vocabulary:machineState.blocked', sql`x.blocked`),
      silent,
      warning: number('vocabulary:machineState.warning', sql`x.warning`),
      selling: number('vocabulary:machineState.selling', sql`x.selling`),
    },
    silent: { silent },
    machines: { machines: number('merchants-dashboard:column.machines', sql`x.machines`) },
    against: {
      usual: { heading: 'export:column.usual', kind: 'amount', sql: usual },
      against: {
        heading: 'export:column.against',
        kind: 'percent',
        sql: sql`round((${value} - ${usual}) * 10000.0 / nullif(${usual}, 0))::bigint`,
      },
    },
    value: { value: { heading: 'merchants-dashboard:column.value', kind: 'amount', sql: value } },
    vends: { vends: number('merchants-dashboard:column.vends', sql`coalesce(sold.vends, 0)`) },
  },
  open: async (db, order) => {
    const ordering = merchantsDashboardOrdering(order)
    const rows = merchantsDashboardRows(db, order.filter)
    const sold = soldToday(db, sql<boolean>`m.id in (select id from x)`, new Date())
    return {
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
