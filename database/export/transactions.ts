import { type RawBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export/export.ts'
import { productOfCode } from '../facts/product-name.ts'
import { isWholeCurrency } from '../frame/export/column.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportRows, type ExportSource, fieldsOf } from '../frame/export/source.ts'
import type { Directed } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { sentCode } from '../sales/product-filter.ts'
import { paidWith } from '../sales/sales.ts'
import { isWithoutMedia, transactionsWanted } from '../sales/transaction.ts'

/** The time range of the offset lookup; instants outside are converted by the zone's name. */
const allDays = { first: '2015-01-01', last: sql`date_trunc('year', now()) + interval '2 years'` }

/** Transactions, filtered, by time. */
export const transactionsSource: ExportSource<'transactions'> = {
  home: {
    currency: sql`m.currency`,
    isWhole: sql`m.is_whole`,
    local: (
      instant,
    ) => sql`case when ${instant} >= m.known_from then timezone(m.ahead[width_bucket(${instant}, m.since)], ${instant})
      else ${instant} at time zone m.time_zone end`,
  },
  merchant: sql`m.name`,
  merchantId: sql`m.id`,
  zone: sql`m.time_zone`,
  columns: columnsOfTable(
    'transactions',
    'transactions',
    {
      machine: { sql: sql`p.name`, spreadsheetText: sql`p.harmless_name` },
      machineSerial: { sql: sql`p.serial`, spreadsheetText: sql`p.harmless_serial` },
      merchant: { sql: sql`m.name`, spreadsheetText: sql`m.harmless_name` },
      product: {
        sql: sql`coalesce(n.name, t.product)`,
        spreadsheetText: sql`coalesce(n.harmless_name, spreadsheet_text(t.product))`,
      },
      serial: sql`case when not ${isWithoutMedia} then t.media_serial end`,
      free: sql`t.free_sale`,
      error: sql`t.error_sale`,
      failedCharge: sql`case when t.error_sale then t.value end`,
      paidWith: paidWith('t'),
      charge: sql`t.value_charge`,
      cardFile: sql`t.credit_card_file_id`,
      externalUser: sql`t.external_user_id`,
    },
    't',
  ),
  open: openTransactions,
}

/**
 * Rows of one merchant are read in index order. Rows of several merchants, or of some machines, are sorted before their words are built.
 * Each row is then joined to its machine and merchant with a memoize node: a hash join would lose the order. The planner overestimates
 * the offset lookup, so JIT compilation is off.
 */
async function openTransactions(db: TenantDb, order: ExportOrderOf<'transactions'>): Promise<ExportRows> {
  await planOneByOne(db)
  const selected = await transactionsWanted(db, order.filter)
  return {
    order: byTime(order),
    select: (what, limit) => transactionsAmong(db, selected, what, { ordType: order.ordType, limit }),
    count: sql<{ n: number }>`select count(*)::bigint as n from (${selected}) as counted`,
  }
}

const byTime = ({ ordType }: Directed) => {
  const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
  return sql`t.created_at ${direction}, t.id ${direction}`
}

/** Settings for `transactionsAmong`. */
export const planOneByOne = (db: TenantDb) =>
  sql`set local enable_hashjoin = off; set local enable_mergejoin = off; set local jit = off`.execute(db.query)

/** Fields of wanted rows of `transactions`, by time. */
export function transactionsAmong(
  db: TenantDb,
  selected: RawBuilder<unknown>,
  what: readonly RawBuilder<unknown>[],
  { ordType, limit }: Directed & { limit?: number | undefined },
) {
  const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
  return sql`
      with m as materialized (
        select m.id, m.name, spreadsheet_text(m.name) as harmless_name, m.time_zone, m.currency, ${isWholeCurrency(sql`m.currency`)} as is_whole,
          z.since, z.ahead, z.since[1] as known_from
        from merchants m, zone_offsets(m.time_zone, ${allDays.first}, ${allDays.last}) z where ${db.narrow('merchants', 'm')}
      )
      select ${fieldsOf(what)} from (
        ${selected} order by t.created_at ${direction}, t.id ${direction}
        ${limit === undefined ? sql`offset 0` : sql`limit ${limit}`}
      ) t
      join m on m.id = t.merchant_id
      cross join lateral (
        select p.name, p.serial, spreadsheet_text(p.name) as harmless_name, spreadsheet_text(p.serial) as harmless_serial
        from machines p where ${db.own('p')} and p.merchant_id = t.merchant_id and p.id = t.machine_id offset 0
      ) p
      left join lateral (
        select of_code.name, spreadsheet_text(of_code.name) as harmless_name
        from (${productOfCode(db, sql`t.merchant_id`, sentCode)}) of_code offset 0
      ) n on true
      order by t.created_at ${direction}, t.id ${direction}`
}
