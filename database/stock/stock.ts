import { sql } from 'kysely'
import type { PricesItem, StockItem } from '#contract/device-protocol.ts'
import { type StockLevel, stockStatusOf } from '#domain/stock/stock.ts'
import { earlierBy } from '#domain/time/clock.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'

export interface StockReport extends ItemHead {
  stock: StockItem
}
export interface PricesReport extends ItemHead {
  prices: PricesItem
}

/** Of several rows with one key the last by the machine's own order: a statement cannot write a row twice. */
function newestOf<Row>(rows: readonly { key: string; seq: number; row: Row }[]): Row[] {
  const newest = new Map<string, { seq: number; row: Row }>()
  for (const { key, seq, row } of rows) if ((newest.get(key)?.seq ?? -1) < seq) newest.set(key, { seq, row })
  // All transactions write rows in this order, which avoids deadlocks.
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { row }]) => row)
}

const headColumns = ['at', 'epoch', 'seq'] as const
const headOf = ({ at, epoch, seq }: ItemHead) => [new Date(at), epoch ?? 0, seq ?? 0]
const upsertOf = (table: string, key: readonly string[], columns: readonly string[]) =>
  `on conflict (${key.join(', ')}) do update set
    ${columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
    where (${table}.epoch, ${table}.seq) < (excluded.epoch, excluded.seq)`

const stockKey = ['merchant_id', 'machine_id', 'selection']
const stockColumns = [
  ...stockKey,
  ...['product', 'level', 'capacity', 'warning_level', 'refilled_at', 'status', 'stock_type', 'gone'],
  ...headColumns,
]
const stockUpsert = upsertOf('machine_stock', stockKey, stockColumns)

/** Stores the stock that machines report; an older report of a selection never replaces a newer one. */
export async function writeStock(db: TenantDb, reports: readonly StockReport[]): Promise<void> {
  const rows = reports.flatMap(({ stock, ...head }) =>
    stock.levels.map(
      ({ selection, level, capacity = null, warningLevel = null, refilledAt, product, stockType, gone }) => ({
        key: `${head.merchantId} ${head.machineId} ${selection}`,
        seq: head.seq ?? 0,
        row: [
          head.merchantId,
          head.machineId,
          selection,
          product ?? null,
          level,
          capacity,
          warningLevel,
          refilledAt === undefined ? null : instantOf(earlierBy(head, stock.at, refilledAt)),
          stockStatusOf({ level, capacity, warningLevel }),
          stockType ?? null,
          gone,
          ...headOf(head),
        ],
      }),
    ),
  )
  if (rows.length > 0) await insertRows(db.query, 'machine_stock', stockColumns, newestOf(rows), stockUpsert)
}
const instantOf = (at: number | null) => (at === null ? null : new Date(at))

const pricesKey = ['merchant_id', 'machine_id', 'selection', 'price_table']
const pricesColumns = [...pricesKey, 'product', 'price', 'gone', ...headColumns]
const pricesUpsert = upsertOf('machine_prices', pricesKey, pricesColumns)

/** The same for prices. */
export async function writePrices(db: TenantDb, reports: readonly PricesReport[]): Promise<void> {
  const rows = reports.flatMap(({ prices, ...head }) =>
    prices.prices.map(({ selection, priceTable, product = null, price, gone }) => ({
      key: `${head.merchantId} ${head.machineId} ${selection} ${priceTable}`,
      seq: head.seq ?? 0,
      row: [head.merchantId, head.machineId, selection, priceTable, product, price, gone, ...headOf(head)],
    })),
  )
  if (rows.length > 0) await insertRows(db.query, 'machine_prices', pricesColumns, newestOf(rows), pricesUpsert)
}

/** More than any machine has; limits the rows that changing selections can add. */
const mostSelections = 2000

/** The stock of a machine of the scope, by its last report. */
export const stockOf = (db: TenantDb, machineId: string) =>
  db
    .from('machine_stock')
    .where('machine_stock.machine_id', '=', machineId)
    .where('gone', '=', false)
    .select(['selection', 'product', 'level', 'capacity', 'warning_level', 'refilled_at', 'stock_type', 'at'])
    .orderBy('at', 'desc')
    .orderBy('selection')
    .limit(mostSelections)
    .execute()
export type StockRecord = Awaited<ReturnType<typeof stockOf>>[number]

/** The prices of a machine of the scope, by list and selection; the product name comes from the price, otherwise from the stock. */
export async function pricesOf(db: TenantDb, machineId: string) {
  const { rows } = await sql<{
    selection: string
    priceTable: number
    product: string | null
    price: number
    at: Date
  }>`
    select prices.selection, prices.price_table as "priceTable", coalesce(prices.product, stock.product) as product,
      prices.price, prices.at
    from machine_prices prices
    left join machine_stock stock on stock.merchant_id = prices.merchant_id and stock.machine_id = prices.machine_id
      and stock.selection = prices.selection and not stock.gone
    where ${db.narrow('machine_prices', 'prices')} and prices.machine_id = ${machineId} and not prices.gone
    order by prices.at desc, prices.selection, prices.price_table limit ${mostSelections * 8}`.execute(db.query)
  return rows
}
export type PriceRecord = Awaited<ReturnType<typeof pricesOf>>[number]

/** The stock levels of some machines, by machine. */
export async function levelsOf(db: TenantDb, machineIds: readonly string[]): Promise<Map<string, StockLevel[]>> {
  const { rows } = await sql<StockLevel & { machineId: string }>`
    select machine_id as "machineId", selection, level, capacity, warning_level as "warningLevel"
    from machine_stock where ${db.narrow('machine_stock')} and machine_id = any(${machineIds}::uuid[]) and not gone`.execute(
    db.query,
  )
  return Map.groupBy(rows, ({ machineId }) => machineId)
}
