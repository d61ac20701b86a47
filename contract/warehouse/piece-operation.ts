import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import {
  Day,
  Flag,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
} from '../frame/shapes.ts'
import { mostPieces, Pieces } from '../stock/pieces.ts'
import { PieceOperationKind } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** At most so many products of one operation. */
export const mostPieceLines = 500

const SomePieces = z.int().min(1).max(mostPieces)
const lineOf = { productId: ids.productId, pieces: SomePieces }
/** Pieces of a product; which lots they are of follows from their dates: first expired, first out. */
export const PieceLine = z.strictObject(lineOf)
/** Pieces of a delivery become a lot. `unitCost` is net of VAT, in minor units a piece; `expiresOn` the last day of sale. */
export const PurchaseLine = z.strictObject({
  ...lineOf,
  unitCost: MinorUnits.min(0).nullable().default(null),
  expiresOn: Day.nullable().default(null),
  lotCode: LineText.trim().min(1).max(40).nullable().default(null),
})
export type PurchaseLine = z.output<typeof PurchaseLine>
const CountLine = z.strictObject({ productId: ids.productId, counted: Pieces })

const isOncePerProduct = (lines: readonly { productId: string }[]) =>
  new Set(lines.map(({ productId }) => productId)).size === lines.length
export const linesOf = <L extends z.ZodType<{ productId: string }>>(line: L) =>
  z.array(line).min(1).max(mostPieceLines).refine(isOncePerProduct, saying('unique'))

const common = {
  /** Made by the caller: the same operation sent again is booked once. */
  id: z.uuid(),
  /** A delivery note or another number of the paper behind it. */
  document: LineText.trim().min(1).max(80).nullable().default(null),
  note: LineText.trim().min(1).max(500).nullable().default(null),
}
const supplier = LineText.trim().min(1).max(120).nullable().default(null)

/** What a user books at a place. A purchase may have several lots of one product, everything else names a product once. */
export const NewPieceOperation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('purchase'),
    ...common,
    supplier,
    lines: z.array(PurchaseLine).min(1).max(mostPieceLines),
  }),
  z.strictObject({
    kind: z.literal('transfer'),
    ...common,
    toStockPlaceId: ids.stockPlaceId,
    lines: linesOf(PieceLine),
  }),
  z.strictObject({ kind: z.literal('supplierReturn'), ...common, supplier, lines: linesOf(PieceLine) }),
  z.strictObject({ kind: z.literal('waste'), ...common, lines: linesOf(PieceLine) }),
  z.strictObject({ kind: z.literal('count'), ...common, lines: linesOf(CountLine) }),
])
export type NewPieceOperation = z.output<typeof NewPieceOperation>

/** What an operation changed at the place, by product. */
export const BookedOperation = z.strictObject({
  id: z.uuid(),
  at: Instant,
  changes: z.array(z.strictObject({ productId: z.uuid(), pieces: z.int(), left: z.int() })),
})
export type BookedOperation = z.infer<typeof BookedOperation>

/** Pieces of a lot at a place. Without a lot they were found by a count. */
export const PlaceLot = z.strictObject({
  productId: z.uuid(),
  product: z.string(),
  productCode: z.string().nullable(),
  lotId: z.uuid().nullable(),
  lotCode: z.string().nullable(),
  expiresOn: Day.nullable(),
  /** Days until its last day of sale; below zero: it is over. Null without a date. */
  daysLeft: z.int().nullable(),
  receivedAt: Instant.nullable(),
  pieces: z.int(),
  unitCost: MinorUnits.nullable(),
  value: MinorUnits.nullable(),
  currency: Currency,
})
export type PlaceLot = z.infer<typeof PlaceLot>

export const PlaceLotFilters = z.strictObject({
  /** In the product's name and code, and the lot's code. */
  search: Search.optional(),
  productIds: oneOrMany(ids.productId),
  isExpired: Flag.optional(),
})
export type PlaceLotFilters = z.infer<typeof PlaceLotFilters>

export const placeLotColumns = {
  product: { kind: 'text', heading: 'piece:column.product' },
  productCode: { kind: 'text', heading: 'piece:column.productCode' },
  lotCode: { kind: 'text', heading: 'piece:column.lotCode' },
  expiresOn: { kind: 'day', heading: 'piece:column.expiresOn' },
  pieces: { kind: 'number', heading: 'piece:column.pieces' },
  unitCost: { kind: 'amount', heading: 'piece:column.unitCost' },
  value: { kind: 'amount', heading: 'piece:column.value' },
  receivedAt: { kind: 'instant', heading: 'piece:column.receivedAt' },
} as const satisfies ListColumns

export const placeLotOrds = ordsOf(placeLotColumns, 'expiresOn')

/** A product of an operation as it changed a place. `pieces` below zero left the place. */
export const PieceOperation = z.strictObject({
  id: z.uuid(),
  at: Instant,
  kind: PieceOperationKind,
  productId: z.uuid(),
  product: z.string(),
  pieces: z.int(),
  /** The other place of a transfer. */
  otherPlaceId: z.uuid().nullable(),
  otherPlaceName: z.string().nullable(),
  /** The machine of a visit; null also for machines that the reader does not see. */
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
  supplier: z.string().nullable(),
  document: z.string().nullable(),
  note: z.string().nullable(),
  by: z.string().nullable(),
})
export type PieceOperation = z.infer<typeof PieceOperation>

export const PieceOperationFilters = z.strictObject({
  search: Search.optional(),
  kinds: oneOrMany(PieceOperationKind),
  productIds: oneOrMany(ids.productId),
  ...optionalPeriod,
})
export type PieceOperationFilters = z.infer<typeof PieceOperationFilters>

export const pieceOperationColumns = {
  at: { kind: 'instant', heading: 'piece:column.at' },
  kind: { sort: false, kind: 'word', heading: 'piece:column.kind', of: 'pieceOperationKind' },
  product: { sort: false, kind: 'text', heading: 'piece:column.product' },
  pieces: { sort: false, kind: 'number', heading: 'piece:column.pieces' },
  other: { sort: false, kind: 'own', heading: 'piece:column.other' },
  document: { sort: false, kind: 'text', heading: 'piece:column.document' },
  note: { sort: false, kind: 'text', heading: 'piece:column.note' },
  by: { sort: false, kind: 'text', heading: 'piece:column.by' },
} as const satisfies ListColumns

export const pieceOperationOrds = ordsOf(pieceOperationColumns, 'at')

const path = '/merchants/{merchantId}/stock-places/{stockPlaceId}' as const
const base = { feature: 'warehouse', finds: ['stockPlaceId'], fails: ['StockPlaceNotFound'] } as const

export const pieceOperations = {
  listPlaceLots: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/lots`,
    summary: 'List the lots of a warehouse or van by their last day of sale',
    needs: 'stockPlace.read',
    topics: ['stockPlace', 'product'],
    query: PlaceLotFilters.extend(paged(placeLotOrds)),
    ok: pageOf(PlaceLot).extend(withTotals),
  }),
  listPieceOperations: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/operations`,
    summary: 'List what entered and left a warehouse or van',
    needs: 'stockPlace.read',
    topics: ['stockPlace', 'product'],
    query: PieceOperationFilters.extend(paged(pieceOperationOrds)),
    ok: pageOf(PieceOperation).extend(withTotals),
    fails: ['StockPlaceNotFound', 'PeriodReversed'],
  }),
  bookPieces: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/operations`,
    summary:
      'Book a delivery, a transfer, waste, a return to the supplier, or a count; the same operation twice is one',
    needs: 'pieces.write',
    body: NewPieceOperation,
    ok: BookedOperation,
    fails: ['StockPlaceNotFound', 'ProductNotFound', 'NotEnoughPieces', 'OperationIdTaken', 'SameStockPlace'],
  }),
}
