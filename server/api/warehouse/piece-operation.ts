import { ProductError } from '#contract/errors.ts'
import { PieceOperation, PlaceLot, type pieceOperations } from '#contract/warehouse/piece-operation.ts'
import { listPieceOperations, listPlaceLots } from '#database/warehouse/piece-lists.ts'
import { stockPlaceList } from '#database/warehouse/stock-place.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { bookPieces } from '#server/warehouse/book-pieces.ts'

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
    const { merchant_id: merchantId, id: placeId, time_zone: timeZone } = await placeOf(call, call.params.stockPlaceId)
    return bookPieces(call, { merchantId, placeId, timeZone }, call.body)
  },
}
