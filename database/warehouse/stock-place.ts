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

/** What prevents the deletion of a place: products that it has or owes, and rounds that drive with it. */
export async function usesOfPlace(db: TenantDb, place: { merchant_id: string; id: string }) {
  const { products } = await db
    .from('place_lots')
    .where('place_lots.merchant_id', '=', place.merchant_id)
    .where('place_lots.place_id', '=', place.id)
    .where('place_lots.pieces', '<>', 0)
    .select(sql<number>`count(distinct place_lots.product_id)::int`.as('products'))
    .executeTakeFirstOrThrow()
  const { rounds } = await db
    .from('rounds')
    .where('rounds.merchant_id', '=', place.merchant_id)
    .where('rounds.van_id', '=', place.id)
    .where('rounds.status', 'in', ['planned', 'underway'])
    .select(sql<number>`count(*)::int`.as('rounds'))
    .executeTakeFirstOrThrow()
  return products + rounds > 0 ? { products, rounds } : undefined
}

/** The van of a driver; the oldest, if the driver has several. */
export async function vanOfDriver(db: TenantDb, merchantId: string, userId: string | null) {
  if (userId === null) return undefined
  const van = await db.query
    .selectFrom('stock_places')
    .where(db.own('stock_places'))
    .where('merchant_id', '=', merchantId)
    .where('driver_id', '=', userId)
    .where('kind', '=', 'van')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return van?.id
}

/** Locks a van of a merchant for a round that gets it; whether it exists. */
export async function holdVan(db: TenantDb, merchantId: string, id: string): Promise<boolean> {
  const van = await db.query
    .selectFrom('stock_places')
    .where(db.own('stock_places'))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('kind', '=', 'van')
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return van !== undefined
}

/** An open round of a day that drives with a van, with another driver. */
export async function otherRoundOfVan(
  db: TenantDb,
  merchantId: string,
  {
    vanId,
    day,
    assigneeId,
    roundId,
  }: { vanId: string; day: string; assigneeId: string | null; roundId: string | null },
) {
  const { rows } = await sql<{ id: string; name: string; assigneeName: string }>`
    select round.id, round.name, round.assignee_name as "assigneeName" from rounds round
    where ${db.own('round')} and round.merchant_id = ${merchantId} and round.van_id = ${vanId} and round.day = ${day}::date
      and round.status in ('planned', 'underway') and round.id is distinct from ${roundId}::uuid
      and round.assignee_id <> ${assigneeId}::uuid
    order by round.id limit 1`.execute(db.query)
  return rows[0]
}

/** Who drives a van on a day: the technician of its round, or else its own driver. A warehouse has no driver. */
export async function driverOf(db: TenantDb, merchantId: string, placeId: string, day: string) {
  const { rows } = await sql<{ driver_id: string | null; driver_name: string | null }>`
    select coalesce(round.assignee_id, place.driver_id) as driver_id, coalesce(round.assignee_name, place.driver_name) as driver_name
    from stock_places place left join lateral (
      select r.assignee_id, r.assignee_name from rounds r
      where ${db.own('r')} and r.merchant_id = place.merchant_id and r.van_id = place.id and r.day = ${day}::date
        and r.status <> 'cancelled' and r.assignee_id is not null
      order by r.started_at nulls last, r.id limit 1
    ) round on true
    where ${db.own('place')} and place.merchant_id = ${merchantId} and place.id = ${placeId} and place.kind = 'van'`.execute(
    db.query,
  )
  return rows[0] ?? { driver_id: null, driver_name: null }
}
