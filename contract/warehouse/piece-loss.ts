import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Instant, MinorUnits, oneOrMany, optionalPeriod, paged, pageOf, Search } from '../frame/shapes.ts'
import { PieceLossKind } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** Pieces of a lot that a warehouse or van lost, or that a count found. Amounts are null where they are not known, and for users who do not see products. */
export const PieceLossRow = z.strictObject({
  operationId: z.uuid(),
  lotId: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  at: Instant,
  kind: PieceLossKind,
  productId: z.uuid(),
  /** Null: a deleted product that was never sold. */
  product: z.string().nullable(),
  lotCode: z.string().nullable(),
  placeId: z.uuid(),
  /** Null: a deleted place. */
  place: z.string().nullable(),
  /** Who drove the van on that day. */
  driver: z.string().nullable(),
  pieces: z.int(),
  unitCost: MinorUnits.nullable(),
  /** Below zero for what was found. */
  value: MinorUnits.nullable(),
  note: z.string().nullable(),
  by: z.string().nullable(),
})
export type PieceLossRow = z.infer<typeof PieceLossRow>

export const PieceLossFilters = z.strictObject({
  /** In the names of product and place, and the note, two letters or more. */
  search: Search.optional(),
  kinds: oneOrMany(PieceLossKind),
  productIds: oneOrMany(ids.productId),
  stockPlaceIds: oneOrMany(ids.stockPlaceId),
  /** Drivers of vans; an unknown user drove none. */
  driverIds: oneOrMany(z.uuid()),
  ...optionalPeriod,
})
export type PieceLossFilters = z.infer<typeof PieceLossFilters>

export const pieceLossColumns = {
  product: { kind: 'text', heading: 'losses:column.product' },
  merchant: { kind: 'text', heading: 'losses:column.merchant' },
  at: { kind: 'instant', heading: 'losses:column.at' },
  kind: { kind: 'word', heading: 'losses:column.kind', of: 'pieceLossKind' },
  place: { kind: 'text', heading: 'losses:column.place' },
  driver: { kind: 'text', heading: 'losses:column.driver', sort: false },
  lotCode: { kind: 'text', heading: 'losses:column.lotCode' },
  pieces: { kind: 'number', heading: 'losses:column.pieces' },
  unitCost: { kind: 'amount', heading: 'losses:column.unitCost', sort: false },
  value: { kind: 'amount', heading: 'losses:column.value', sort: false },
  note: { kind: 'text', heading: 'losses:column.note' },
  by: { kind: 'person', heading: 'losses:column.by' },
} as const satisfies ListColumns
export const pieceLossOrds = ordsOf(pieceLossColumns, 'at')

export const pieceLosses = {
  listPieceLosses: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/piece-losses',
    summary: 'List what warehouses and vans lost: counted differences, expired pieces and waste',
    needs: 'stockPlace.read',
    topics: ['stockPlace', 'product'],
    feature: 'warehouse',
    query: PieceLossFilters.extend(paged(pieceLossOrds)),
    ok: pageOf(PieceLossRow).extend(withTotals),
    fails: ['PeriodReversed'],
  }),
}

/** The list as a file. */
export const exportedPieceLosses = {
  row: pieceLosses.listPieceLosses,
  filters: PieceLossFilters,
  ords: pieceLossOrds,
  columns: pieceLossColumns,
} as const satisfies ExportedList
