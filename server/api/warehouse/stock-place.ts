import { NewStockPlace, StockPlace, type stockPlaces } from '#contract/warehouse/stock-place.ts'
import { stockPlaceList, usesOfPlace } from '#database/warehouse/stock-place.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { nameOfAssignee } from '#server/people/assignee.ts'

/** What is stored of a place: also the name of its driver, because users are in local tables. */
const StoredStockPlace = NewStockPlace.extend({ driverName: StockPlace.shape.driverName })

/** Warehouses and vans. */
export const stockPlaceRecord = editable({
  noun: 'stockPlace',
  rows: stockPlaceList,
  fields: StoredStockPlace,
  present: (row) => wireOf(StockPlace, row),
  duplicates: { stock_places_by_name: ['StockPlaceNameTaken', 'name'] },
  blockedBy: usesOfPlace,
})

export const stockPlaceHandlers: Handlers<typeof stockPlaces> = {
  ...stockPlaceRecord.handlers,

  createStockPlace: async (call) => {
    const driverName = await nameOfAssignee(call, call.body.driverId)
    return stockPlaceRecord.create(call, call.params.merchantId, { ...call.body, driverName })
  },

  updateStockPlace: async (call) => {
    const driverName = await nameOfAssignee(call, call.body.driverId)
    return stockPlaceRecord.update(call, call.params.stockPlaceId, { ...call.body, driverName })
  },
}
