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
  lotsOf,
  operationOf,
  writeOperation,
} from '#database/warehouse/pieces.ts'
import { productNames } from '#database/warehouse/product-names.ts'
import { stockPlaceList } from '#database/warehouse/stock-place.ts'
import { changesAt, counted, type LotsAt, purchased, shortagesOf, taken } from '#domain/warehouse/operations.ts'
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

/** The entries of an operation, and the lots that it brings. Refused where more would leave than is there. */
async function entriesOf(
  { db }: Call,
  { merchantId, placeId }: { merchantId: string; placeId: string },
  operation: NewPieceOperation,
  lotsAt: LotsAt,
): Promise<{ entries: PieceEntry[]; lots: LotRow[] }> {
  const own = { merchantId, placeId }
  if (operation.kind === 'purchase') {
    const lines = operation.lines.map((line) => ({ ...line, lotId: randomUUIDv7() }))
    const lots = lines.map(({ lotId, productId, lotCode, expiresOn, unitCost }) => ({
      id: lotId,
      product_id: productId,
      code: lotCode,
      expires_on: expiresOn,
      unit_cost: unitCost,
    }))
    return { entries: purchased(own, lines, lotsAt), lots }
  }
  if (operation.kind === 'count') return { entries: counted(own, operation.lines, lotsAt), lots: [] }
  const shortages = shortagesOf(placeId, operation.lines, lotsAt)
  if (shortages.length > 0) {
    const names = await productNames(
      db,
      merchantId,
      shortages.map(({ productId }) => productId),
    )
    throw new ProductError('NotEnoughPieces', {
      products: shortages.map((one) => ({ ...one, product: names.get(one.productId) ?? null })),
      names: shortages.map(({ productId }) => names.get(productId) ?? '–').join(', '),
    })
  }
  const to =
    operation.kind === 'transfer'
      ? ({ account: 'place', ownerId: operation.toStockPlaceId } as const)
      : ({ account: operation.kind === 'waste' ? 'waste' : 'supplier', ownerId: merchantId } as const)
  return { entries: taken(placeId, to, operation.lines, lotsAt), lots: [] }
}

/** Books an operation at a place, once for its id. */
async function book(
  call: Call,
  { merchantId, placeId }: { merchantId: string; placeId: string },
  operation: NewPieceOperation,
): Promise<BookedOperation> {
  const { db, user, now, live } = call
  const toPlaceId = operation.kind === 'transfer' ? operation.toStockPlaceId : null
  if (toPlaceId === placeId) throw new ProductError('SameStockPlace')
  const placeIds = toPlaceId ? [placeId, toPlaceId] : [placeId]
  const locked = await lockPlaces(db, merchantId, placeIds)
  if (locked.size < placeIds.length) throw new ProductError('StockPlaceNotFound')
  const digest = digestOf(placeId, operation)
  const before = await operationOf(db, merchantId, operation.id)
  const productIds = [...new Set(operation.lines.map(({ productId }) => productId))]
  const known = await productNames(db, merchantId, productIds)
  if (known.size < productIds.length) throw new ProductError('ProductNotFound')
  const held = await lotsOf(db, merchantId, placeIds, productIds)
  const lotsAt = lotsAtOf(held)
  const leftOf = (productId: string) => piecesOf(lotsAt(placeId, productId))
  if (before) {
    if (before.digest !== digest) throw new ProductError('OperationIdTaken')
    const changes = productIds.map((productId) => ({ productId, pieces: 0, left: leftOf(productId) }))
    return { id: operation.id, at: toWire(before.at), changes }
  }
  const { entries, lots } = await entriesOf(call, { merchantId, placeId }, operation, lotsAt)
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
  const changed = changesAt(placeId, entries)
  const changes = productIds.map((productId) => {
    const pieces = changed.get(productId) ?? 0
    return { productId, pieces, left: leftOf(productId) + pieces }
  })
  return { id: operation.id, at: toWire(now), changes }
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
