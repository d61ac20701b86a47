import { sql } from 'kysely'
import { paidTypes, salesFrom, type WrongPriceFacts, wrongStretch } from '#domain/catalogue/wrong-price.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { Arrived } from './price-sight.ts'

interface Line {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
}
interface Disagreeing extends Line {
  isWrong: boolean
  wanted: number | null
  wantedAt: Date | null
  price: number | null
  at: Date | null
  audited: number | null
  auditedAt: Date | null
  charged: number | null
  chargedAt: Date | null
}

const seen = (price: number | null, at: Date | null) => (price === null || at === null ? null : { price, at })
const factsOf = (row: Disagreeing): WrongPriceFacts => ({
  wanted: row.wanted as number,
  wantedAt: row.wantedAt as Date,
  reported: seen(row.price, row.at),
  audited: seen(row.audited, row.auditedAt),
  charged: seen(row.charged, row.chargedAt),
})

/**
 * Starts and ends the stretches of prices that became wrong or right, after reports, audits or sales of machines whose journals the caller
 * has locked. Returns the machines that changed.
 */
export async function settleWrongPrices(
  db: TenantDb,
  machineIds: readonly string[],
  arrived: Arrived = new Map(),
): Promise<{ merchantId: string; machineId: string }[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<Disagreeing>`
    select merchant_id as "merchantId", machine_id as "machineId", selection, price_table as "priceTable", is_wrong as "isWrong",
      wanted, wanted_at as "wantedAt", price, at, audited, audited_at as "auditedAt", charged, charged_at as "chargedAt"
    from machine_prices where ${db.narrow('machine_prices')} and machine_id = any(${machineIds}::uuid[])
      and is_wrong <> (wrong_since is not null)`.execute(db.query)
  if (rows.length === 0) return []
  const begun = rows.filter(({ isWrong }) => isWrong)
  const froms = begun.map((row) => salesFrom(factsOf(row), arrived.get(row.machineId)))
  const sales = await salesOf(db, begun, froms)
  const stretches = rows.map((row) => {
    if (!row.isWrong) return { since: null, sales: 0, lost: 0 }
    return wrongStretch(factsOf(row), sales.get(keyOf(row)) ?? [])
  })
  await sql`update machine_prices price set wrong_since = stretch.since, wrong_sales = stretch.sales, lost = stretch.lost
    from ${unnested(rows)}, ${stretches.map(({ since }) => since)}::timestamptz[], ${stretches.map(({ sales: n }) => n)}::int[],
      ${stretches.map(({ lost }) => lost)}::bigint[])
      as stretch (merchant_id, machine_id, selection, price_table, since, sales, lost)
    where ${db.own('price')} and price.merchant_id = stretch.merchant_id and price.machine_id = stretch.machine_id
      and price.selection = stretch.selection and price.price_table = stretch.price_table`.execute(db.query)
  return [...new Map(rows.map(({ merchantId, machineId }) => [machineId, { merchantId, machineId }])).values()]
}

const keyOf = ({ machineId, priceTable, selection }: Line) => `${machineId} ${priceTable} ${selection}`
const unnested = (lines: readonly Line[]) => sql`unnest(${lines.map(({ merchantId }) => merchantId)}::uuid[],
  ${lines.map(({ machineId }) => machineId)}::uuid[], ${lines.map(({ selection }) => selection)}::text[],
  ${lines.map(({ priceTable }) => priceTable)}::smallint[]`

/** The stored sales of prices from an instant on each, by price. */
async function salesOf(db: TenantDb, lines: readonly Line[], froms: readonly Date[]) {
  if (lines.length === 0) return new Map<string, { price: number; at: Date }[]>()
  const { rows } = await sql<Line & { price: number; at: Date }>`
    select wrong.machine_id as "machineId", wrong.selection, wrong.price_table as "priceTable", sale.value as price, sale.created_at as at
    from ${unnested(lines)}, ${froms}::timestamptz[]) as wrong (merchant_id, machine_id, selection, price_table, since)
    join transactions sale on sale.merchant_id = wrong.merchant_id and sale.machine_id = wrong.machine_id
      and sale.created_at >= wrong.since and sale.price_line::text = wrong.selection and sale.price_table = wrong.price_table
    where ${db.own('sale')} and sale.created_at >= ${new Date(Math.min(...froms.map(Number)))}
      and sale.type = any(${paidTypes}::smallint[]) and not sale.free_sale and not sale.error_sale`.execute(db.query)
  return Map.groupBy(rows, keyOf)
}
