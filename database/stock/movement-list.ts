import { type Selectable, sql } from 'kysely'
import type { StockMovementFilters, stockMovementOrds } from '#contract/stock/stock-movement.ts'
import { anyOf, inPeriod } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted, totalsOf } from '../frame/list.ts'
import type { DB } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

type Ord = (typeof stockMovementOrds)[number]

/** The name of a selection's product now; movements store none. */
export const movedProduct = sql<string | null>`coalesce(named.name, stock.product)`

/** Returns a function that builds a new query on the movements of a machine that match. */
export async function movementsMatching(
  db: TenantDb,
  machineId: string,
  { search, selections, kinds, ...period }: StockMovementFilters = {},
) {
  const inside = await inPeriod(db, 'stock_entries', 'at', period)
  return () =>
    db.query
      .selectFrom('stock_entries')
      .where(db.narrow('stock_movements', 'stock_entries'))
      .innerJoin('merchants', 'merchants.id', 'stock_entries.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join
          .onRef('machine.merchant_id', '=', 'stock_entries.merchant_id')
          .onRef('machine.id', '=', 'stock_entries.machine_id'),
      )
      .leftJoin('machine_stock as stock', (join) =>
        join
          .onRef('stock.merchant_id', '=', 'stock_entries.merchant_id')
          .onRef('stock.machine_id', '=', 'stock_entries.machine_id')
          .onRef('stock.selection', '=', 'stock_entries.selection'),
      )
      .leftJoin('planogram_lines as line', (join) =>
        join
          .onRef('line.merchant_id', '=', 'stock_entries.merchant_id')
          .onRef('line.planogram_id', '=', 'machine.planogram_id')
          .onRef('line.selection', '=', 'stock_entries.selection'),
      )
      .leftJoin('product_codes as coded', (join) =>
        join.onRef('coded.merchant_id', '=', 'stock_entries.merchant_id').onRef('coded.code', '=', 'stock.product'),
      )
      .leftJoin('products as named', (join) =>
        join
          .onRef('named.merchant_id', '=', 'stock_entries.merchant_id')
          .on(sql<boolean>`named.id = coalesce(line.product_id, coded.product_id)`),
      )
      .where('stock_entries.machine_id', '=', machineId)
      .where(inside)
      .where(anyOf('stock_entries.selection', selections, 'text'))
      .where(anyOf('stock_entries.kind', kinds, 'text'))
      .where(holds(sql`stock_entries.selection || ' ' || coalesce(${movedProduct}, '')`, search))
}

/** Newest first by default. */
export const movementOrdering = orderOf<Ord>({
  by: { at: sql`stock_entries.at` },
  first: 'at',
  falling: 'all',
  ties: (direction) => sql`stock_entries.selection ${direction}, stock_entries.id ${direction}`,
})

/** A page of a machine's movements, the total, and the shrinkage of the matching selections and period. */
export async function listMovements(db: TenantDb, machineId: string, query: StockMovementFilters & Page & Sorted<Ord>) {
  const { kinds: _, ...ofAnyKind } = query
  const matching = await movementsMatching(db, machineId, query)
  const page = await pageOf(db, query, {
    matching,
    order: movementOrdering(query),
    select: (movements) =>
      movements
        .selectAll('stock_entries')
        .$castTo<Selectable<Omit<DB['stock_movements'], 'visit_id' | 'created_at'>>>()
        .select(movedProduct.as('product')),
  })
  const { shrinkage } = await (await movementsMatching(db, machineId, ofAnyKind))()
    .where('stock_entries.kind', 'in', ['report', 'correction'])
    .where('stock_entries.opening', '=', false)
    .select(sql<number>`coalesce(-sum(stock_entries.amount), 0)::int`.as('shrinkage'))
    .executeTakeFirstOrThrow()
  const totals = await totalsOf(db, matching, { currency: null, of: { amount: sql`stock_entries.amount` } })
  return { ...page, shrinkage, totals }
}
