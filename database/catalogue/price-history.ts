import { sql } from 'kysely'
import type { PriceChangeFilters, priceChangeOrds } from '#contract/catalogue/price.ts'
import { among, anyOf } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

type Ord = (typeof priceChangeOrds)[number]

/** The name of a selection's product now; the history stores none. */
export const changedProduct = sql<string | null>`coalesce(named.name, price.product)`

/** A query on the price changes of a machine that match the filters. */
export const priceChangesOf = (
  db: TenantDb,
  machineId: string,
  { search, priceTables, sources, selections }: PriceChangeFilters = {},
) =>
  db
    .from('price_changes')
    .innerJoin('merchants', 'merchants.id', 'price_changes.merchant_id')
    .innerJoin('machines as machine', (join) =>
      join
        .onRef('machine.merchant_id', '=', 'price_changes.merchant_id')
        .onRef('machine.id', '=', 'price_changes.machine_id'),
    )
    .leftJoin('machine_prices as price', (join) =>
      join
        .onRef('price.merchant_id', '=', 'price_changes.merchant_id')
        .onRef('price.machine_id', '=', 'price_changes.machine_id')
        .onRef('price.selection', '=', 'price_changes.selection')
        .onRef('price.price_table', '=', 'price_changes.price_table'),
    )
    .leftJoin('planogram_lines as line', (join) =>
      join
        .onRef('line.merchant_id', '=', 'price_changes.merchant_id')
        .onRef('line.planogram_id', '=', 'machine.planogram_id')
        .onRef('line.selection', '=', 'price_changes.selection'),
    )
    .leftJoin('product_codes as coded', (join) =>
      join.onRef('coded.merchant_id', '=', 'price_changes.merchant_id').onRef('coded.code', '=', 'price.product'),
    )
    .leftJoin('products as named', (join) =>
      join
        .onRef('named.merchant_id', '=', 'price_changes.merchant_id')
        .on(sql<boolean>`named.id = coalesce(line.product_id, coded.product_id)`),
    )
    .where('price_changes.machine_id', '=', machineId)
    .where(anyOf('price_changes.price_table', priceTables, 'int'))
    .where(anyOf('price_changes.source', sources, 'text'))
    .where(anyOf('price_changes.selection', selections, 'text'))
    .where(holds(sql`price_changes.selection || ' ' || coalesce(${changedProduct}, '')`, search))

/** Newest first by default. */
export const priceChangeOrdering = orderOf<Ord>({
  by: {
    at: sql`price_changes.at`,
    selection: sql`lower(price_changes.selection)`,
    product: sql`lower(${changedProduct})`,
    priceTable: sql`price_changes.price_table`,
    before: sql`price_changes.before`,
    after: sql`price_changes.after`,
    source: sql`price_changes.source`,
  },
  first: 'at',
  falling: 'all',
  full: ['at'],
  ties: sql`price_changes.at desc, price_changes.id desc`,
})

/** A page of a machine's price changes, and the total. */
export const listPriceChanges = (db: TenantDb, machineId: string, query: PriceChangeFilters & Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: () => priceChangesOf(db, machineId, query),
    order: priceChangeOrdering(query),
    select: (changes) =>
      changes.selectAll('price_changes').select(['merchants.currency', changedProduct.as('product')]),
  })

/** Who changed the wanted prices of selections last, by table and selection. */
export async function lastPriceChanges(db: TenantDb, machineId: string, selections: readonly string[]) {
  const rows = await db
    .from('price_changes')
    .distinctOn(['price_changes.price_table', 'price_changes.selection'])
    .where('price_changes.machine_id', '=', machineId)
    .where('price_changes.source', '<>', 'device')
    .where(among('price_changes.selection', selections, 'text'))
    .select(['price_table', 'selection', 'at', 'changed_by', 'changed_by_name'])
    .orderBy('price_changes.price_table')
    .orderBy('price_changes.selection')
    .orderBy('price_changes.at', 'desc')
    .orderBy('price_changes.id', 'desc')
    .execute()
  return rows
}
