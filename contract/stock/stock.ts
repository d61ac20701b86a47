import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
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

/** What one selection costs by each price list that the machine has told of, in minor units of `currency`. */
export const PriceRow = z.strictObject({
  selection: z.string(),
  product: z.string().nullable(),
  currency: Currency,
  /** In the order of the lists; one that says nothing of this selection is missing. */
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

/** How a machine's stock stands, in short. */
export const StockSummary = z.strictObject({ out: z.int(), low: z.int(), inStock: z.int() })

export const stock = {
  listStock: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/stock',
    summary: 'What is left in a point of sale, selection by selection, as it said itself; what is out comes first',
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
    summary: 'What the selections of a point of sale cost by each of its price lists, as it said itself',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['stock'],
    feature: 'vending',
    query: PriceFilters.extend(paged(priceOrds)),
    /** `priceTables`: the lists that the machine has told of, whatever is filtered. */
    ok: pageOf(PriceRow).extend({ priceTables: z.array(z.int()), differing: z.int() }),
    fails: ['MachineNotFound', 'FeatureNotEnabled'],
  }),
}
