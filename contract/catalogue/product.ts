import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { recordOf } from '../frame/record-of.ts'
import { Flag, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { ProductType } from '../vocabulary/catalogue/product.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { NewProduct } from './product-fields.ts'

/** A parameter of a product and its value; reports group by parameters. */
export const ProductParameter = z.strictObject({ name: z.string(), value: z.string() })
export type ProductParameter = z.infer<typeof ProductParameter>

/** A product that a merchant sells. `vat` is a percentage with up to two decimals, `cost` and `defaultPrice` minor units of `currency`. */
export const Product = recordOf(
  NewProduct,
  {
    currency: Currency,
    /** A small picture as a data URL, 64 pixels at most on a side; null without a picture. */
    thumbnail: z.string().nullable(),
    planograms: z.int(),
  },
  { parameters: z.array(ProductParameter) },
)
export type Product = z.infer<typeof Product>

export const ProductFilters = z.strictObject({
  /** In code, name, description and GTIN. */
  search: Search.optional(),
  productTypes: oneOrMany(ProductType),
  /** Products in planograms, or in none. */
  hasPlanograms: Flag.optional(),
})
export type ProductFilters = z.infer<typeof ProductFilters>

/** Exports have the columns that an import reads, so that a round trip changes nothing. */
export const productColumns = {
  name: { kind: 'text', heading: 'product:field.name' },
  code: { kind: 'text', heading: 'product:field.code' },
  merchant: { kind: 'text', heading: 'product:column.merchant' },
  productType: { kind: 'word', heading: 'product:field.productType', of: 'productType' },
  description: { kind: 'text', heading: 'product:field.description' },
  vat: { kind: 'decimal', heading: 'product:field.vat' },
  cost: { kind: 'amount', heading: 'product:field.cost' },
  defaultPrice: { kind: 'amount', heading: 'product:field.defaultPrice' },
  defaultFill: { kind: 'number', heading: 'product:field.defaultFill' },
  supplier: { kind: 'text', heading: 'product:field.supplier' },
  packSize: { kind: 'number', heading: 'product:field.packSize' },
  minimumPacks: { kind: 'number', heading: 'product:field.minimumPacks' },
  leadDays: { kind: 'number', heading: 'product:field.leadDays' },
  gtin: { kind: 'text', heading: 'product:field.gtin' },
  allergens: { kind: 'words', heading: 'product:field.allergens', of: 'allergen' },
  parameters: { sort: false, kind: 'text', heading: 'product:field.parameters' },
  planograms: { kind: 'number', heading: 'product:column.planograms' },
  createdAt: { kind: 'instant', heading: 'product:column.created' },
  id: { kind: 'plain', heading: 'product:column.id' },
} as const satisfies ListColumns

export const productOrds = ordsOf(productColumns, 'name')

/** At most so many of what blocks a deletion are named; all are counted. */
export const mostProductBlockers = 20

const Named = z.strictObject({ id: z.uuid(), name: z.string() })

/** Facts of `ProductInPlanograms`. */
export const ProductBlockers = z.strictObject({
  planograms: z.int(),
  firstPlanograms: z.array(Named),
  profiles: z.int(),
  firstProfiles: z.array(Named),
  /** Warehouses and vans that have pieces of it. */
  stockPlaces: z.int(),
  firstStockPlaces: z.array(Named),
})
export type ProductBlockers = z.infer<typeof ProductBlockers>

export const products = {
  listProducts: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/products',
    summary: 'List products',
    needs: 'product.read',
    feature: 'vending',
    topics: ['product', 'planogram'],
    query: ProductFilters.extend(paged(productOrds)),
    ok: pageOf(Product),
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/products/{productId}',
    summary: 'Get a product',
    needs: 'product.read',
    feature: 'vending',
    topics: ['product', 'planogram'],
    ok: Product,
    fails: ['ProductNotFound'],
  }),
  deleteProduct: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/products/{productId}',
    summary: 'Delete a product that no planogram or no-vend profile uses, and of which no warehouse or van has pieces',
    needs: 'product.write',
    feature: 'vending',
    fails: ['ProductNotFound', 'ProductInPlanograms'],
  }),
}

/** The list as a file. */
export const exportedProducts = {
  row: products.listProducts,
  filters: ProductFilters,
  ords: productOrds,
  columns: productColumns,
} as const satisfies ExportedList
