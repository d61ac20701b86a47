import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { LineText, MinorUnits, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { StockPlaceKind } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A warehouse or van as users create and edit it. */
export const NewStockPlace = z.strictObject({
  /** Unique within its merchant, ignoring case. */
  name: LineText.trim().min(1).max(120),
  kind: StockPlaceKind,
  licencePlate: LineText.trim().min(1).max(20).nullable().default(null),
  /** Who drives a van: visits outside of rounds take from it what they load. */
  driverId: ids.userId.nullable().default(null),
  address: LineText.trim().min(1).max(200).nullable().default(null),
  note: Text.trim().min(1).max(2000).nullable().default(null),
})
export type NewStockPlace = z.output<typeof NewStockPlace>

/** A place with what the book says it holds. */
export const StockPlace = recordOf(NewStockPlace, {
  currency: Currency,
  driverName: z.string().nullable(),
  /** Products of which it has pieces. */
  products: z.int(),
  pieces: z.int(),
  /** Pieces at the cost of their lots, or else of their products; pieces without a cost count nothing. */
  value: MinorUnits,
  /** Pieces whose last day of sale is over. */
  expired: z.int(),
})
export type StockPlace = z.infer<typeof StockPlace>

export const StockPlaceFilters = z.strictObject({
  /** In name, licence plate and address. */
  search: Search.optional(),
  kinds: oneOrMany(StockPlaceKind),
})
export type StockPlaceFilters = z.infer<typeof StockPlaceFilters>

export const stockPlaceColumns = {
  name: { kind: 'text', heading: 'stock-place:field.name' },
  kind: { kind: 'word', heading: 'stock-place:field.kind', of: 'stockPlaceKind' },
  merchant: { kind: 'text', heading: 'stock-place:column.merchant' },
  licencePlate: { kind: 'text', heading: 'stock-place:field.licencePlate' },
  driverName: { kind: 'text', heading: 'stock-place:field.driverId' },
  address: { kind: 'text', heading: 'stock-place:field.address' },
  products: { kind: 'number', heading: 'stock-place:column.products' },
  pieces: { kind: 'number', heading: 'stock-place:column.pieces' },
  value: { kind: 'amount', heading: 'stock-place:column.value' },
  expired: { kind: 'number', heading: 'stock-place:column.expired' },
  createdAt: { kind: 'instant', heading: 'stock-place:column.created' },
  id: { kind: 'plain', heading: 'stock-place:column.id' },
} as const satisfies ListColumns

export const stockPlaceOrds = ordsOf(stockPlaceColumns, 'name')

const path = '/merchants/{merchantId}/stock-places' as const
const base = { feature: 'warehouse' } as const

export const stockPlaces = {
  listStockPlaces: endpoint({
    ...base,
    method: 'GET',
    path,
    summary: 'List warehouses and vans with what they hold',
    needs: 'stockPlace.read',
    topics: ['stockPlace', 'product'],
    query: StockPlaceFilters.extend(paged(stockPlaceOrds)),
    ok: pageOf(StockPlace).extend(withOptionalTotals),
  }),
  getStockPlace: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/{stockPlaceId}`,
    summary: 'Get a warehouse or van',
    needs: 'stockPlace.read',
    topics: ['stockPlace', 'product'],
    ok: StockPlace,
    fails: ['StockPlaceNotFound'],
  }),
  createStockPlace: endpoint({
    ...base,
    method: 'POST',
    path,
    summary: 'Create a warehouse or van',
    needs: 'stockPlace.write',
    body: NewStockPlace,
    ok: StockPlace,
    status: 201,
    fails: ['MerchantNotSelected', 'StockPlaceNameTaken', 'UserNotFound'],
  }),
  updateStockPlace: endpoint({
    ...base,
    method: 'PUT',
    path: `${path}/{stockPlaceId}`,
    summary: 'Update a warehouse or van',
    needs: 'stockPlace.write',
    body: editOf(NewStockPlace),
    ok: StockPlace,
    fails: ['StockPlaceNotFound', 'StockPlaceNameTaken', 'UserNotFound', 'EditConflict'],
  }),
  deleteStockPlace: endpoint({
    ...base,
    method: 'DELETE',
    path: `${path}/{stockPlaceId}`,
    summary: 'Delete a warehouse or van that has no pieces',
    needs: 'stockPlace.write',
    fails: ['StockPlaceNotFound', 'StockPlaceInUse'],
  }),
}

/** The list as a file. */
export const exportedStockPlaces = {
  row: stockPlaces.listStockPlaces,
  filters: StockPlaceFilters,
  ords: stockPlaceOrds,
  columns: stockPlaceColumns,
} as const satisfies ExportedList
