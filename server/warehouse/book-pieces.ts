import { createHash, randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { BookedOperation, NewPieceOperation } from '#contract/warehouse/piece-operation.ts'
import {
  type LotRow,
  lockPlaces,
  lockProducts,
  lotsAtOf,
  lotsOf,
  noteCounts,
  operationOf,
  writeOperation,
} from '#database/warehouse/pieces.ts'
import { driverOf } from '#database/warehouse/stock-place.ts'
import { dayIn } from '#domain/time/period.ts'
import {
  changesAt,
  countEntries,
  deliveryEntries,
  departureEntries,
  type LotsAt,
  sellableAt,
  shortagesOf,
} from '#domain/warehouse/operations.ts'
import { type PieceEntry, piecesOf } from '#domain/warehouse/pieces.ts'
import type { TenantCall } from '#server/http/handler.ts'

/** What booking needs of a call. */
type Deed = Pick<TenantCall, 'db' | 'now'> & {
  user: { id: string; name: string }
  live: Pick<TenantCall['live'], 'announce'>
}

/** What identifies the content of an operation; the same id with another content is another operation. */
const digestOf = (placeId: string, operation: NewPieceOperation) =>
  createHash('sha256')
    .update(JSON.stringify([placeId, operation]))
    .digest('base64url')

/** A place with its merchant's zone. `roundId`: what is moved is picked for it. */
export interface BookingPlace {
  merchantId: string
  placeId: string
  timeZone: string
  roundId?: string
}

/** Refuses to take more of products, by their names, than a place has. */
function refuseShortages(
  { placeId }: BookingPlace,
  lines: readonly { productId: string; pieces: number }[],
  { lotsAt, names }: { lotsAt: LotsAt; names: ReadonlyMap<string, string> },
): void {
  const products = shortagesOf(placeId, lines, lotsAt).map((one) => ({
    ...one,
    product: names.get(one.productId) ?? '',
  }))
  if (products.length > 0)
    throw new ProductError('NotEnoughPieces', { products, names: products.map(({ product }) => product).join(', ') })
}

/** The entries of an operation, and the lots that it brings. */
function entriesOf(
  place: BookingPlace,
  operation: NewPieceOperation,
  { lotsAt, names }: { lotsAt: LotsAt; names: ReadonlyMap<string, string> },
): { entries: PieceEntry[]; lots: LotRow[] } {
  const { merchantId, placeId } = place
  if (operation.kind === 'purchase') {
    const lines = operation.lines.map((line) => ({ ...line, lotId: randomUUIDv7() }))
    const lots = lines.map(({ lotId, productId, lotCode, expiresOn, unitCost }) => ({
      id: lotId,
      product_id: productId,
      code: lotCode,
      expires_on: expiresOn,
      unit_cost: unitCost,
    }))
    return { entries: deliveryEntries(place, lines, lotsAt), lots }
  }
  if (operation.kind === 'count') return { entries: countEntries(place, operation.lines, lotsAt), lots: [] }
  refuseShortages(place, operation.lines, { lotsAt, names })
  const to =
    operation.kind === 'transfer'
      ? ({ account: 'place', ownerId: operation.toStockPlaceId } as const)
      : ({ account: operation.kind === 'waste' ? 'waste' : 'supplier', ownerId: merchantId } as const)
  return { entries: departureEntries(placeId, to, operation.lines, lotsAt), lots: [] }
}

/**
 * Books an operation at a place, once for its id. What has expired does not leave for a van. Throws `NotEnoughPieces`, `StockPlaceNotFound`,
 * `SameStockPlace`, `ProductNotFound` and `OperationIdTaken`.
 */
export async function bookPieces(
  { db, user, now, live }: Deed,
  place: BookingPlace,
  operation: NewPieceOperation,
): Promise<BookedOperation> {
  const { merchantId, placeId } = place
  const toPlaceId = operation.kind === 'transfer' ? operation.toStockPlaceId : null
  if (toPlaceId === placeId) throw new ProductError('SameStockPlace')
  const placeIds = toPlaceId ? [placeId, toPlaceId] : [placeId]
  const locked = await lockPlaces(db, merchantId, placeIds)
  if (locked.size < placeIds.length) throw new ProductError('StockPlaceNotFound')
  const productIds = [...new Set(operation.lines.map(({ productId }) => productId))]
  const held = await lotsOf(db, merchantId, placeIds, productIds)
  const isForVan = toPlaceId !== null && locked.get(toPlaceId) === 'van'
  const lotsAt = isForVan ? sellableAt(lotsAtOf(held), dayIn(now, place.timeZone)) : lotsAtOf(held)
  const changesBy = (entries: readonly PieceEntry[]) => {
    const changed = changesAt(placeId, entries)
    return productIds.map((productId) => {
      const pieces = changed.get(productId) ?? 0
      return { productId, pieces, left: piecesOf(lotsAt(placeId, productId)) + pieces }
    })
  }
  const digest = digestOf(placeId, operation)
  const before = await operationOf(db, merchantId, operation.id)
  if (before && before.digest !== digest) throw new ProductError('OperationIdTaken')
  if (before) return { id: operation.id, at: toWire(before.at), changes: changesBy([]) }
  const names = await lockProducts(db, merchantId, productIds)
  if (names.size < productIds.length) throw new ProductError('ProductNotFound')
  const { entries, lots } = entriesOf(place, operation, { lotsAt, names })
  await writeOperation(
    db,
    {
      merchant_id: merchantId,
      id: operation.id,
      kind: operation.kind,
      at: now,
      booked_at: now,
      place_id: placeId,
      to_place_id: toPlaceId,
      supplier: 'supplier' in operation ? operation.supplier : null,
      document: operation.document,
      note: operation.note,
      round_id: place.roundId ?? null,
      machine_id: null,
      user_id: user.id,
      user_name: user.name,
      ...(await driverOf(db, merchantId, placeId, dayIn(now, place.timeZone))),
      digest,
    },
    entries,
    { held, lots },
  )
  if (operation.kind === 'count') await noteCounts(db, { merchantId, placeId, at: now }, productIds)
  db.afterCommit(() => live.announce(merchantId, 'stockPlace'))
  return { id: operation.id, at: toWire(now), changes: changesBy(entries) }
}
