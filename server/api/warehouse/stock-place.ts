import { NewStockPlace, StockPlace } from '#contract/warehouse/stock-place.ts'
import { piecesAtPlace, stockPlaceList } from '#database/warehouse/stock-place.ts'
import { editable } from '#server/http/editable.ts'
import { wireOf } from '#server/http/wire.ts'

/** Warehouses and vans. */
export const stockPlaceRecord = editable({
  noun: 'stockPlace',
  rows: stockPlaceList,
  fields: NewStockPlace,
  present: (row) => wireOf(StockPlace, row),
  duplicates: { stock_places_by_name: ['StockPlaceNameTaken', 'name'] },
  blockedBy: piecesAtPlace,
})
