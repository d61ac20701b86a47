import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import { Flag, LineText, MinorUnits, paged, pageOf, Search } from '../frame/shapes.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** A product with what to buy of it. */
export const ProductToBuy = z.strictObject({
  merchantId: z.uuid(),
  productId: z.uuid(),
  product: z.string(),
  productCode: z.string(),
  supplier: z.string().nullable(),
  currency: Currency,
  /** Pieces in warehouses and vans that may be sold today. */
  onHand: z.int(),
  /** Pieces that fill up the machines now. */
  missing: z.int(),
  /** Pieces that are expected to be sold until a purchase arrives, and in the days after it. */
  expected: z.int(),
  leadDays: z.int().nullable(),
  packSize: z.int().nullable(),
  /** Packs to buy; of a product without packs, pieces. */
  packs: z.int(),
  /** Pieces to buy. */
  toBuy: z.int(),
  /** What they cost, net of VAT; null: the cost is unknown. */
  cost: MinorUnits.nullable(),
})
export type ProductToBuy = z.infer<typeof ProductToBuy>

export const mostCoverDays = 90

export const ProductToBuyFilters = z.strictObject({
  /** In the product's name and code, and the supplier. */
  search: Search.optional(),
  supplier: LineText.trim().min(1).max(120).optional(),
  /** The days after the delivery for which the purchase suffices. */
  coverDays: z.coerce.number().int().min(1).max(mostCoverDays).default(7),
  /** Also products of which nothing is to be bought. */
  withEnough: Flag.optional(),
})
export type ProductToBuyFilters = z.infer<typeof ProductToBuyFilters>

export const productToBuyColumns = {
  product: { kind: 'text', heading: 'buying:column.product' },
  productCode: { kind: 'text', heading: 'buying:column.productCode' },
  supplier: { kind: 'text', heading: 'buying:column.supplier' },
  onHand: { kind: 'number', heading: 'buying:column.onHand' },
  missing: { kind: 'number', heading: 'buying:column.missing' },
  expected: { kind: 'number', heading: 'buying:column.expected' },
  toBuy: { kind: 'number', heading: 'buying:column.toBuy' },
  packSize: { kind: 'number', heading: 'buying:column.packSize' },
  packs: { kind: 'number', heading: 'buying:column.packs' },
  leadDays: { kind: 'number', heading: 'buying:column.leadDays' },
  cost: { kind: 'amount', heading: 'buying:column.cost' },
} as const satisfies ListColumns

export const productToBuyOrds = ordsOf(productToBuyColumns, 'supplier')

export const buying = {
  listProductsToBuy: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/products-to-buy',
    summary: 'List what to buy: what machines lack and are expected to sell, without what warehouses and vans have',
    needs: 'pieces.write',
    feature: 'warehouse',
    topics: ['stockPlace', 'product', 'stock'],
    query: ProductToBuyFilters.extend(paged(productToBuyOrds)),
    ok: pageOf(ProductToBuy).extend(withTotals),
    fails: ['MerchantNotSelected'],
  }),
  getProductsToBuyPdf: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/products-to-buy/pdf',
    summary: 'Get what to buy by supplier as PDF',
    needs: 'pieces.write',
    feature: 'warehouse',
    /** `language` of its words; the reader's own by default. */
    query: ProductToBuyFilters.extend({ language: Language.optional() }),
    produces: 'application/pdf',
    fails: ['MerchantNotSelected'],
  }),
}

/** The list as a file. */
export const exportedProductsToBuy = {
  row: buying.listProductsToBuy,
  filters: ProductToBuyFilters,
  ords: productToBuyOrds,
  columns: productToBuyColumns,
} as const satisfies ExportedList
