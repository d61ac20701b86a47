import { sql } from 'kysely'
import type { PieceOperationKind, StockPlaceKind } from '#contract/vocabulary/stock.ts'
import type { LotsAt } from '#domain/warehouse/operations.ts'
import { type HeldLot, isBalanced, type PieceEntry } from '#domain/warehouse/pieces.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/*
 * The book of pieces in the database. A transaction locks the places that it books at, in one order, reads their lots, and writes the
 * operation, its entries and what the places have after it.
 */

/**
 * A row of the book. `place_id` is where it was booked; `to_place_id` the other place of a transfer; `round_id` the round that it was picked for
 * or visited on; `machine_id` where pieces were loaded.
 */
export interface OperationRow {
  merchant_id: string
  id: string
  kind: PieceOperationKind
  at: Date
  booked_at: Date
  place_id: string
  to_place_id: string | null
  supplier: string | null
  document: string | null
  note: string | null
  round_id: string | null
  machine_id: string | null
  user_id: string | null
  user_name: string | null
  /** Who drove the van on the day; null for warehouses. */
  driver_id: string | null
  driver_name: string | null
  digest: string
}

/** A lot that a delivery brings. `unit_cost` is in minor units a piece. */
export interface LotRow {
  id: string
  product_id: string
  code: string | null
  expires_on: string | null
  unit_cost: number | null
}

/** Locks places until the end of the transaction. Returns the kinds of existing places by id. */
export async function lockPlaces(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, StockPlaceKind>> {
  const { rows } = await sql<{ id: string; kind: StockPlaceKind }>`select place.id, place.kind from stock_places place
    where ${db.own('place')} and place.merchant_id = ${merchantId} and place.id = any(${[...ids]}::uuid[])
    order by place.id for update`.execute(db.query)
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

/** Locks products against deletion until the end of the transaction. Returns the names of existing products by id. */
export async function lockProducts(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select product.id, product.name from products product
    where ${db.own('product')} and product.merchant_id = ${merchantId} and product.id = any(${[...ids]}::uuid[])
    order by product.id for share`.execute(db.query)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** An operation by its id. */
export async function operationOf(db: TenantDb, merchantId: string, id: string) {
  const { rows } = await sql<Pick<OperationRow, 'digest' | 'at' | 'to_place_id'>>`
    select operation.digest, operation.at, operation.to_place_id from piece_operations operation
    where ${db.own('operation')} and operation.merchant_id = ${merchantId} and operation.id = ${id}`.execute(db.query)
  return rows[0]
}

/** When products were last counted at a locked place, by product. */
export async function lastCountsAt(
  db: TenantDb,
  merchantId: string,
  placeId: string,
  productIds: readonly string[],
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ productId: string; countedAt: Date }>`
    select count.product_id as "productId", count.counted_at as "countedAt" from place_counts count
    where ${db.own('count')} and count.merchant_id = ${merchantId} and count.place_id = ${placeId}
      and count.product_id = any(${[...productIds]}::uuid[])`.execute(db.query)
  return new Map(rows.map(({ productId, countedAt }) => [productId, countedAt]))
}

/** Keeps when products were counted at a locked place. */
export const noteCounts = (
  db: TenantDb,
  { merchantId, placeId, at }: { merchantId: string; placeId: string; at: Date },
  productIds: readonly string[],
) =>
  insertRows(
    db.query,
    'place_counts',
    ['merchant_id', 'place_id', 'product_id', 'counted_at'],
    productIds.map((productId) => [merchantId, placeId, productId, at]),
    'on conflict (merchant_id, place_id, product_id) do update set counted_at = excluded.counted_at',
  )

/** Lots of products at places: by place, then by product. Pieces of no lot count as the first to arrive. */
export type HeldLots = ReadonlyMap<string, ReadonlyMap<string, readonly NamedLot[]>>

/** A lot with the supplier's number of it. */
export interface NamedLot extends HeldLot {
  code: string | null
}

/** What places have of some products; before a booking they are locked. */
export async function lotsOf(
  db: TenantDb,
  merchantId: string,
  placeIds: readonly string[],
  productIds: readonly string[],
): Promise<HeldLots> {
  const { rows } = await sql<NamedLot & { placeId: string; productId: string }>`
    select held.place_id as "placeId", held.product_id as "productId", held.lot_id as "lotId", held.pieces, lot.code,
      to_char(lot.expires_on, 'YYYY-MM-DD') as "expiresOn", coalesce(lot.received_at, timestamptz 'epoch') as "receivedAt"
    from place_lots held
    left join product_lots lot on ${db.own('lot')} and lot.merchant_id = held.merchant_id and lot.id = held.lot_id
    where ${db.own('held')} and held.merchant_id = ${merchantId} and held.place_id = any(${[...placeIds]}::uuid[])
      and held.product_id = any(${[...productIds]}::uuid[]) and held.pieces <> 0`.execute(db.query)
  const byPlace = Map.groupBy(rows, ({ placeId }) => placeId)
  return new Map(
    [...byPlace].map(([placeId, ofPlace]) => [placeId, Map.groupBy(ofPlace, ({ productId }) => productId)]),
  )
}

/** Answers with the lots of a product at a place. */
export const lotsAtOf =
  (lots: HeldLots): LotsAt =>
  (placeId, productId) =>
    lots.get(placeId)?.get(productId) ?? []

/** Pieces by account, owner, product and lot, each of them once. */
function summedUp(entries: readonly PieceEntry[]): PieceEntry[] {
  const byKey = Map.groupBy(entries, ({ account, ownerId, productId, lotId }) =>
    [account, ownerId, productId, lotId].join(' '),
  )
  return [...byKey.values()].flatMap((same) => {
    const [first] = same
    const pieces = same.reduce((sum, entry) => sum + entry.pieces, 0)
    return first && pieces !== 0 ? [{ ...first, pieces }] : []
  })
}

/** Writes what locked places have of each lot after entries. Lots that are used up leave the place. */
async function writeLots(db: TenantDb, merchantId: string, entries: readonly PieceEntry[], held: HeldLots) {
  if (entries.length === 0) return
  const before = ({ ownerId, productId, lotId }: PieceEntry) =>
    held
      .get(ownerId)
      ?.get(productId)
      ?.find((lot) => lot.lotId === lotId)?.pieces ?? 0
  await insertRows(
    db.query,
    'place_lots',
    ['merchant_id', 'place_id', 'product_id', 'lot_id', 'pieces'],
    entries.map((entry) => [merchantId, entry.ownerId, entry.productId, entry.lotId, before(entry) + entry.pieces]),
    'on conflict (merchant_id, place_id, product_id, lot_id) do update set pieces = excluded.pieces',
  )
  for (const placeId of new Set(entries.map(({ ownerId }) => ownerId)))
    await sql`delete from place_lots used where ${db.own('used')} and used.merchant_id = ${merchantId}
      and used.place_id = ${placeId} and used.pieces = 0`.execute(db.query)
}

/**
 * Writes an operation with its entries, the lots that it brings, and what places have after it. `held`: what the locked places had before, of
 * all of its products.
 */
export async function writeOperation(
  db: TenantDb,
  operation: OperationRow,
  entries: readonly PieceEntry[],
  { held, lots = [] }: { held: HeldLots; lots?: readonly LotRow[] },
): Promise<void> {
  const { merchant_id: merchantId, id, at } = operation
  if (!isBalanced(entries)) throw new Error(`The entries of operation ${id} do not add up to zero.`)
  if (lots.length > 0)
    await insertRows(
      db.query,
      'product_lots',
      ['merchant_id', 'id', 'product_id', 'code', 'expires_on', 'unit_cost', 'received_at'],
      lots.map((lot) => [merchantId, lot.id, lot.product_id, lot.code, lot.expires_on, lot.unit_cost, at]),
    )
  await db.query.insertInto('piece_operations').values(operation).execute()
  const sums = summedUp(entries)
  if (sums.length > 0)
    await insertRows(
      db.query,
      'piece_entries',
      ['merchant_id', 'operation_id', 'account', 'owner_id', 'product_id', 'lot_id', 'pieces', 'at'],
      sums.map((entry) => [
        merchantId,
        id,
        entry.account,
        entry.ownerId,
        entry.productId,
        entry.lotId,
        entry.pieces,
        at,
      ]),
    )
  const atPlaces = sums.filter(({ account }) => account === 'place')
  await writeLots(db, merchantId, atPlaces, held)
}
