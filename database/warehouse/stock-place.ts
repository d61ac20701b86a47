import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Lots `held` of the place with their `lot` and `product`. */
const heldAt = (db: TenantDb) => sql`place_lots held
  left join product_lots lot on ${db.own('lot')} and lot.merchant_id = held.merchant_id and lot.id = held.lot_id
  left join products product on ${db.own('product')} and product.merchant_id = held.merchant_id and product.id = held.product_id
  where ${db.own('held')} and held.merchant_id = stock_places.merchant_id and held.place_id = stock_places.id and held.pieces <> 0`

/** The current day of the place's merchant. */
const today = sql`(select (now() at time zone m.time_zone)::date from merchants m where m.id = stock_places.merchant_id)`

/** Warehouses and vans with what they hold. */
export const stockPlaceList = recordList({
  list: 'stockPlaces',
  table: 'stock_places',
  sums: {
    of: ['pieces', 'value', 'expired'],
    currency: sql`(select m.currency from merchants m where m.id = stock_places.merchant_id)`,
  },
  where: (_, { kinds }) => [anyOf('stock_places.kind', kinds, 'text')],
  beside: {
    currency: () => sql<Currency>`(select m.currency from merchants m where m.id = stock_places.merchant_id)`,
    products: (db: TenantDb) => sql<number>`(select count(distinct held.product_id)::int from ${heldAt(db)})`,
    pieces: (db: TenantDb) => sql<number>`(select coalesce(sum(held.pieces), 0)::int from ${heldAt(db)})`,
    value: (db: TenantDb) =>
      sql<number>`(select coalesce(sum(held.pieces * coalesce(lot.unit_cost, product.cost, 0)), 0)::bigint from ${heldAt(db)})`,
    expired: (db: TenantDb) =>
      sql<number>`(select coalesce(sum(held.pieces), 0)::int from ${heldAt(db)} and lot.expires_on < ${today})`,
  },
})

/** Whether a place has pieces of anything, or owes some: then it cannot be deleted. */
export async function piecesAtPlace(db: TenantDb, place: { merchant_id: string; id: string }) {
  const rows = await db
    .from('place_lots')
    .where('place_lots.merchant_id', '=', place.merchant_id)
    .where('place_lots.place_id', '=', place.id)
    .where('place_lots.pieces', '<>', 0)
    .select(sql<number>`count(distinct place_lots.product_id)::int`.as('products'))
    .executeTakeFirstOrThrow()
  return rows.products > 0 ? rows : undefined
}
