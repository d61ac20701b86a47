import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { Flag, Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { StockStatus, StockType } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** What is left of one selection, as the machine said it last. Levels are pieces or portions. */
export const StockRow = z.strictObject({
  selection: z.string(),
  product: z.string().nullable(),
  /** Null: the machine has not said how it counts. */
  stockType: StockType.nullable(),
  level: z.int().min(0),
  /** Null: the machine does not know. */
  capacity: z.int().nullable(),
  /** At or below it the level is low: the machine's own, else a fifth of the capacity; null where neither is known. */
  warningLevel: z.int().nullable(),
  status: StockStatus,
  refilledAt: Instant.nullable(),
  updatedAt: Instant,
})
export type StockRow = z.infer<typeof StockRow>

export const StockFilters = z.strictObject({
  /** A part of the selection or the product. */
  search: Search.optional(),
  statuses: oneOrMany(z.coerce.number().pipe(StockStatus)),
  stockTypes: oneOrMany(z.coerce.number().pipe(StockType)),
})
export type StockFilters = z.infer<typeof StockFilters>

export const stockOrds = ['status', 'selection', 'product', 'level', 'refilledAt', 'updatedAt'] as const

export const stockColumns = {
  selection: { kind: 'text', heading: 'stock:column.selection' },
  product: { kind: 'text', heading: 'stock:column.product' },
  stockType: { kind: 'word', heading: 'stock:column.stockType', of: 'stockType' },
  level: {
    level: { kind: 'number', heading: 'stock:column.level' },
    capacity: { kind: 'number', heading: 'export:column.capacity' },
  },
  status: { kind: 'word', heading: 'stock:column.status', of: 'stockStatus' },
  warningLevel: { kind: 'number', heading: 'stock:column.warningLevel' },
  refilledAt: { kind: 'instant', heading: 'stock:column.refilledAt' },
  updatedAt: { kind: 'instant', heading: 'stock:column.updatedAt' },
} as const satisfies ListColumns

/** The prices of one selection in each price list that the machine has reported, in minor units of `currency`. */
export const PriceRow = z.strictObject({
  selection: z.string(),
  product: z.string().nullable(),
  currency: Currency,
  /** In the order of the lists; lists without a price for this selection are missing. */
  prices: z.array(z.strictObject({ priceTable: z.int().min(1).max(8), price: MinorUnits })),
  /** Not all of its lists say the same. */
  isDiffering: z.boolean(),
  updatedAt: Instant,
})
export type PriceRow = z.infer<typeof PriceRow>

export const PriceFilters = z.strictObject({
  /** A part of the selection or the product. */
  search: Search.optional(),
  /** Only those of which lists differ, or do not. */
  differing: Flag.optional(),
})
export type PriceFilters = z.infer<typeof PriceFilters>

export const priceOrds = ['selection', 'product', 'updatedAt'] as const

export const priceColumns = {
  selection: { kind: 'text', heading: 'stock:column.selection' },
  product: { kind: 'text', heading: 'stock:column.product' },
  list1: { kind: 'amount', heading: 'vocabulary:priceTable.cash1' },
  list2: { kind: 'amount', heading: 'vocabulary:priceTable.key1' },
  list3: { kind: 'amount', heading: 'vocabulary:priceTable.key2' },
  list4: { kind: 'amount', heading: 'vocabulary:priceTable.key3' },
  list5: { kind: 'amount', heading: 'vocabulary:priceTable.key4' },
  list6: { kind: 'amount', heading: 'vocabulary:priceTable.cashless1' },
  list7: { kind: 'amount', heading: 'vocabulary:priceTable.cashless2' },
  list8: { kind: 'amount', heading: 'vocabulary:priceTable.cash2' },
  differing: { kind: 'flag', heading: 'stock:differing.yes' },
  updatedAt: { kind: 'instant', heading: 'stock:column.updatedAt' },
} as const satisfies ListColumns

/** A machine's stock in three numbers. */
export const StockSummary = z.strictObject({ out: z.int(), low: z.int(), inStock: z.int() })

export const stock = {
  listStock: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/stock',
    summary: 'List the stock of a point of sale by selection as reported, sold out first',
    needs: 'machine.read',
    topics: ['stock'],
    feature: 'productStock',
    query: StockFilters.extend(paged(stockOrds)),
    ok: pageOf(StockRow).extend({ summary: StockSummary }),
    fails: ['MachineNotFound', 'FeatureNotEnabled'],
  }),
  listPrices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/prices',
    summary: 'List prices of a point of sale by selection and price list as reported',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['stock'],
    feature: 'vending',
    query: PriceFilters.extend(paged(priceOrds)),
    /** `priceTables`: the lists that the machine has reported, regardless of filters. */
    ok: pageOf(PriceRow).extend({ priceTables: z.array(z.int()), differing: z.int() }),
    fails: ['MachineNotFound', 'FeatureNotEnabled'],
  }),
}
