import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { StockCounter, StockStatus, StockType } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** What is left of one selection, in pieces or portions: of a managed machine by its books, else by its last report. */
export const StockRow = z.strictObject({
  selection: z.string(),
  /** The merchant's product that the machine's code means, else as the machine named it. */
  product: z.string().nullable(),
  /** As the machine named it. */
  sentProduct: z.string().nullable(),
  /** Null: the machine has not reported the unit. */
  stockType: StockType.nullable(),
  level: z.int().min(0),
  /** Null: the machine does not know. */
  capacity: z.int().nullable(),
  /** At or below this value the level is low: the machine's own, else a fifth of the capacity; null if neither is known. */
  warningLevel: z.int().nullable(),
  status: StockStatus,
  refilledAt: Instant.nullable(),
  /** The last report, sale, refill or count. */
  updatedAt: Instant,
  /** By the books; below zero if more was sold than was booked. Null: the stock is not managed. */
  balance: z.int().nullable(),
  /** What the machine said last, and when. Null: it never did. */
  reported: z.int().nullable(),
  reportedAt: Instant.nullable(),
  /** What the machine says more or less than the books, where the portal counts and it stays over two reports. Null: nothing. */
  difference: z.int().nullable(),
  /** Pieces whose refill waits for the machine, where the machine counts. */
  waiting: z.int(),
  /** Up to which the selection is filled, by the planogram. */
  refillValue: z.int().nullable(),
  /** Sales of an average day over the last four weeks. Null: not managed, or not computed yet. */
  usualPerDay: z.number().nullable(),
  /** By the usual sales of each coming weekday. Null: unknown, or nothing is usually sold. */
  daysUntilEmpty: z.number().nullable(),
  /** An estimate of what a sold-out selection usually earns per day, in minor units. */
  lostPerDay: MinorUnits,
  currency: Currency,
})
export type StockRow = z.infer<typeof StockRow>

export const StockFilters = z.strictObject({
  /** A part of the selection or the product. */
  search: Search.optional(),
  statuses: oneOrMany(z.coerce.number().pipe(StockStatus)),
  stockTypes: oneOrMany(z.coerce.number().pipe(StockType)),
})
export type StockFilters = z.infer<typeof StockFilters>

export const stockColumns = {
  selection: { kind: 'text', heading: 'stock:column.selection' },
  product: { kind: 'text', heading: 'stock:column.product' },
  stockType: { kind: 'word', heading: 'stock:column.stockType', of: 'stockType' },
  level: {
    facts: {
      level: { kind: 'number', heading: 'stock:column.level' },
      capacity: { kind: 'number', heading: 'export:column.capacity' },
    },
  },
  status: { kind: 'status', heading: 'stock:column.status', of: 'stockStatus' },
  warningLevel: { kind: 'number', heading: 'stock:column.warningLevel' },
  usualPerDay: { kind: 'number', heading: 'stock:column.usualPerDay' },
  daysUntilEmpty: { kind: 'number', heading: 'stock:column.daysUntilEmpty' },
  refilledAt: { kind: 'instant', heading: 'stock:column.refilledAt' },
  updatedAt: { kind: 'instant', heading: 'stock:column.updatedAt' },
} as const satisfies ListColumns

export const stockOrds = ordsOf(stockColumns, 'status')

/** What a user did at a machine that counts its stock itself and has not confirmed it. */
export const WaitingStock = z.strictObject({
  id: z.uuid(),
  selection: z.string(),
  at: Instant,
  counted: z.int().nullable(),
  waste: z.int(),
  loaded: z.int(),
  by: z.string().nullable(),
})
export type WaitingStock = z.infer<typeof WaitingStock>

/** A machine's stock in three numbers. */
export const StockSummary = z.strictObject({ out: z.int(), low: z.int(), inStock: z.int() })

export const stock = {
  listStock: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/stock',
    summary: 'List the stock of a point of sale by selection, sold out first',
    needs: 'machine.read',
    topics: ['stock', 'planogram'],
    feature: 'productStock',
    query: StockFilters.extend(paged(stockOrds)),
    /** `isManaged`: levels fall with each sale. `differing`: selections with a difference. */
    ok: pageOf(StockRow).extend({
      summary: StockSummary,
      isManaged: z.boolean(),
      countedBy: StockCounter,
      differing: z.int(),
      waiting: z.array(WaitingStock),
      ...withTotals,
    }),
    fails: ['MachineNotFound'],
  }),
}

/** The list as a file. */
export const exportedStock = {
  row: stock.listStock,
  filters: StockFilters,
  ords: stockOrds,
  columns: stockColumns,
} as const satisfies ExportedList
