import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Instant, oneOrMany, optionalPeriod, paged, pageOf, Search } from '../frame/shapes.ts'
import { StockCounter, StockMovementKind } from '../vocabulary/stock.ts'
import { Pieces } from './pieces.ts'

/** A change of a selection's stock. */
export const StockMovement = z.strictObject({
  id: z.string(),
  at: Instant,
  selection: z.string(),
  product: z.string().nullable(),
  kind: StockMovementKind,
  /** Pieces; below zero for what left. */
  amount: z.int(),
  /** The first count: no shrinkage. */
  opening: z.boolean(),
  /** Balances a movement that arrived after a later count. */
  late: z.boolean(),
  /** Null: the machine, or a user who is not shown. */
  changedBy: z.string().nullable(),
})
export type StockMovement = z.infer<typeof StockMovement>

export const StockMovementFilters = z.strictObject({
  search: Search.optional(),
  /** Exactly these. */
  selections: oneOrMany(SelectionName),
  kinds: oneOrMany(StockMovementKind),
  ...optionalPeriod,
})
export type StockMovementFilters = z.infer<typeof StockMovementFilters>

export const stockMovementColumns = {
  at: { kind: 'instant', heading: 'stock-movement:column.at' },
  selection: { sort: false, kind: 'text', heading: 'stock:column.selection' },
  product: { sort: false, kind: 'text', heading: 'stock:column.product' },
  kind: { sort: false, kind: 'word', heading: 'stock-movement:column.kind', of: 'stockMovementKind' },
  amount: { sort: false, kind: 'number', heading: 'stock-movement:column.amount' },
  changedBy: { sort: false, kind: 'text', heading: 'stock-movement:column.changedBy' },
} as const satisfies ListColumns

export const stockMovementOrds = ordsOf(stockMovementColumns, 'at')

/**
 * What a user did with a selection: counted it, threw some away, filled it, in this order. `before` is the level that the user saw; a count
 * is a conflict when it is another one now. What was filled or thrown away is added to whatever the level is.
 */
export const StockEdit = z.strictObject({
  selection: SelectionName,
  before: z.int(),
  count: Pieces.optional(),
  waste: Pieces.optional(),
  refill: Pieces.optional(),
})
export type StockEdit = z.infer<typeof StockEdit>

export const mostStockEdits = 500

/** Why a selection was not booked: more than fits, more waste than was there, or neither the machine nor its planogram has it. */
export const stockRefusals = ['aboveCapacity', 'aboveLevel', 'unknown'] as const

const Selections = z.array(SelectionName).min(1).max(mostStockEdits)

const path = '/merchants/{merchantId}/pos/{posId}/stock' as const

export const stockMovements = {
  bookStock: endpoint({
    method: 'PUT',
    path,
    summary: 'Add refills, waste and counts to the managed stock of a point of sale',
    needs: 'stock.write',
    feature: 'productStock',
    body: z.strictObject({
      edits: z
        .array(StockEdit)
        .min(1)
        .max(mostStockEdits)
        .refine((edits) => new Set(edits.map(({ selection }) => selection)).size === edits.length),
    }),
    ok: z.strictObject({
      booked: z.int(),
      /** Selections that wait for the machine, which counts its stock itself: booked when it confirms them. */
      waiting: z.array(z.string()),
      /** Levels after it, by selection. */
      levels: z.array(z.strictObject({ selection: z.string(), level: z.int() })),
      conflicts: z.array(z.strictObject({ selection: z.string(), current: z.int() })),
      refused: z.array(z.strictObject({ selection: z.string(), reason: z.enum(stockRefusals) })),
    }),
    fails: ['MachineNotFound', 'StockNotManaged'],
  }),
  settleStockDifferences: endpoint({
    method: 'PUT',
    path: `${path}/differences`,
    summary: 'Confirm the numbers of a point of sale as a count, or keep the books',
    needs: 'stock.write',
    feature: 'productStock',
    body: z.strictObject({ selections: Selections, keep: StockCounter }),
    ok: z.strictObject({ settled: z.array(z.string()) }),
    fails: ['MachineNotFound', 'StockNotManaged'],
  }),
  settleStockRefills: endpoint({
    method: 'PUT',
    path: `${path}/refills`,
    summary: 'Close refills that wait for a point of sale: book them as a count, or drop them',
    needs: 'stock.write',
    feature: 'productStock',
    body: z.strictObject({
      refills: z
        .array(z.strictObject({ id: z.uuid(), selection: SelectionName }))
        .min(1)
        .max(mostStockEdits),
      as: z.enum(['count', 'dropped']),
    }),
    ok: z.strictObject({ settled: z.int() }),
    fails: ['MachineNotFound', 'StockNotManaged'],
  }),
  listStockMovements: endpoint({
    method: 'GET',
    path: `${path}/movements`,
    summary: 'List stock movements of a point of sale, with its shrinkage',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['stock'],
    feature: 'productStock',
    query: StockMovementFilters.extend(paged(stockMovementOrds)),
    /** `shrinkage`: pieces that counts lacked, of the matching selections and period; below zero for a surplus. */
    ok: pageOf(StockMovement).extend({ shrinkage: z.int(), ...withTotals }),
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
}

/** The list as a file. */
export const exportedStockMovements = {
  row: stockMovements.listStockMovements,
  filters: StockMovementFilters,
  ords: stockMovementOrds,
  columns: stockMovementColumns,
} as const satisfies ExportedList
