import { createHash, randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import {
  type BookedOperation,
  type NewPieceOperation,
  PieceOperation,
  PlaceLot,
  type pieceOperations,
} from '#contract/warehouse/piece-operation.ts'
import { listPieceOperations, listPlaceLots } from '#database/warehouse/piece-lists.ts'
import {
  type HeldLots,
  type LotRow,
  lockPlaces,
  lockProducts,
  lotsOf,
  operationOf,
  writeOperation,
} from '#database/warehouse/pieces.ts'
import { stockPlaceList } from '#database/warehouse/stock-place.ts'
import {
  changesAt,
  countEntries,
  deliveryEntries,
  departureEntries,
  type LotsAt,
  shortagesOf,
} from '#domain/warehouse/operations.ts'
import { type PieceEntry, piecesOf } from '#domain/warehouse/pieces.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

type Call = Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>

/** What identifies the content of an operation; the same id with another content is another operation. */
const digestOf = (placeId: string, operation: NewPieceOperation) =>
  createHash('sha256')
    .update(JSON.stringify([placeId, operation]))
    .digest('base64url')

const lotsAtOf =
  (lots: HeldLots): LotsAt =>
  (placeId, productId) =>
    lots.get(placeId)?.get(productId) ?? []

interface Place {
  merchantId: string
  placeId: string
}

/** Refuses to take more of products, by their names, than a place has. */
function refuseShortages(
  { placeId }: Place,
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
  place: Place,
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

/** Books an operation at a place, once for its id. */
async function book(
  { db, user, now, live }: Call,
  place: Place,
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
  const lotsAt = lotsAtOf(held)
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
      user_id: user.id,
      user_name: user.name,
      digest,
    },
    entries,
    { held, lots },
  )
  db.afterCommit(() => live.announce(merchantId, 'stockPlace'))
  return { id: operation.id, at: toWire(now), changes: changesBy(entries) }
}

/** The place of a path, with its merchant. */
async function placeOf({ db }: Pick<TenantCall, 'db'>, id: string) {
  const place = await stockPlaceList.find(db, id)
  if (!place) throw new ProductError('StockPlaceNotFound')
  return place
}

export const pieceOperationHandlers: Handlers<typeof pieceOperations> = {
  listPlaceLots: async ({ db, params, query }) => {
    const { id } = await placeOf({ db }, params.stockPlaceId)
    const { rows, ...page } = await listPlaceLots(db, id, query)
    return { items: rows.map((row) => wireOf(PlaceLot, row)), ...page }
  },

  listPieceOperations: async (call) => {
    refuseReversed(call.query)
    const { id } = await placeOf(call, call.params.stockPlaceId)
    const { rows, ...page } = await listPieceOperations(call.db, id, call.query)
    const shown = await withShownNames(call, rows, 'user_id', 'user_name')
    return { items: shown.map((row) => wireOf(PieceOperation, row, { by: row.user_name })), ...page }
  },

  bookPieces: async (call) => {
    const { merchant_id: merchantId, id: placeId } = await placeOf(call, call.params.stockPlaceId)
    return book(call, { merchantId, placeId }, call.body)
  },
}
