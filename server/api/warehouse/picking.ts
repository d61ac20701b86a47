import { ProductError } from '#contract/errors.ts'
import type { PickLine, picking } from '#contract/warehouse/picking.ts'
import { holdRound, roundList } from '#database/stock/round.ts'
import { loadsOfRound } from '#database/stock/round-load.ts'
import { lockProducts, lotsOf, type NamedLot, operationOf } from '#database/warehouse/pieces.ts'
import { stockPlaceList } from '#database/warehouse/stock-place.ts'
import { isClosed } from '#domain/stock/round.ts'
import { daysIn } from '#domain/time/period.ts'
import { pickOf } from '#domain/warehouse/picking.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { bookPieces } from '#server/warehouse/book-pieces.ts'

type OfRound = TenantCall & { params: { roundId: string } }

/** The open stops' pieces by product, and those without a product of the catalogue. */
async function neededFor({ db, params }: OfRound) {
  const round = await roundList.find(db, params.roundId)
  if (!round) throw new ProductError('RoundNotFound')
  const loads = (await loadsOfRound(db, round)).filter(
    ({ stop_status, quantity }) => stop_status === 'open' && quantity > 0,
  )
  const named = loads.flatMap((load) => (load.product_id === null ? [] : [{ ...load, product_id: load.product_id }]))
  const sum = (some: readonly { quantity: number }[]) => some.reduce((total, { quantity }) => total + quantity, 0)
  const products = [...Map.groupBy(named, ({ product_id }) => product_id)].map(([productId, same]) => ({
    productId,
    product: same[0]?.product_name ?? '',
    productCode: same[0]?.product_code ?? null,
    needed: sum(same),
  }))
  return { round, products, unnamed: sum(loads) - sum(named) }
}

/** The warehouse of a picking, of the same merchant as the round. */
async function warehouseOf({ db }: TenantCall, merchantId: string, id: string) {
  const place = await stockPlaceList.find(db, id)
  if (!place || place.merchant_id !== merchantId) throw new ProductError('StockPlaceNotFound')
  return place
}

/** What a round needs in its van, and how it gets there. */
export const pickingHandlers: Handlers<typeof picking> = {
  getRoundPicking: async (call) => {
    const { db, query } = call
    const { round, products, unnamed } = await neededFor(call)
    const { van_id: vanId, van_name: vanName, merchant_id: merchantId, day } = round
    const { id: placeId } = await warehouseOf(call, merchantId, query.stockPlaceId)
    if (vanId === null || vanName === null) throw new ProductError('RoundWithoutVan')
    const productIds = products.map(({ productId }) => productId)
    const held = await lotsOf(db, merchantId, [vanId, placeId], productIds)
    const lines = products.map(({ needed, ...product }): PickLine => {
      const warehouse = held.get(placeId)?.get(product.productId) ?? []
      const picked = pickOf({ needed, van: held.get(vanId)?.get(product.productId) ?? [], warehouse, day })
      return { ...product, ...picked, lots: picked.lots.map((part) => namedLot(warehouse, part, day)) }
    })
    return { vanId, vanName, unnamed, lines: lines.sort((one, other) => one.product.localeCompare(other.product)) }
  },

  pickRound: async (call) => {
    const { db, params, body } = call
    const round = await holdRound(db, params.roundId)
    if (!round) throw new ProductError('RoundNotFound')
    const { id: placeId, time_zone: timeZone } = await warehouseOf(call, round.merchant_id, body.stockPlaceId)
    const productIds = body.lines.map(({ productId }) => productId)
    const products = await lockProducts(db, round.merchant_id, productIds)
    if (products.size < productIds.length) throw new ProductError('ProductNotFound')
    // What is booked stays booked, whatever became of the round before the phone said it again.
    const booked = await operationOf(db, round.merchant_id, body.id)
    if (!booked && isClosed(round.status)) throw new ProductError('RoundClosed')
    const vanId = booked ? booked.to_place_id : round.van_id
    if (vanId === null) throw new ProductError('RoundWithoutVan')
    const operation = {
      kind: 'transfer' as const,
      id: body.id,
      document: null,
      note: null,
      toStockPlaceId: vanId,
      lines: body.lines,
    }
    return bookPieces(call, { merchantId: round.merchant_id, placeId, timeZone, roundId: round.id }, operation)
  },
}

/** Pieces of a lot as they are named on a pick list. */
function namedLot(lots: readonly NamedLot[], { lotId, pieces }: { lotId: string; pieces: number }, day: string) {
  const lot = lots.find((one) => one.lotId === lotId)
  const expiresOn = lot?.expiresOn ?? null
  const daysLeft = expiresOn === null ? null : daysIn({ startDate: day, endDate: expiresOn }) - 1
  return { lotCode: lot?.code ?? null, expiresOn, daysLeft, pieces }
}
