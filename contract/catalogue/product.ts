import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ListColumns } from '../frame/list-columns.ts'
import { Flag, Instant, MinorUnits, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { Allergen, ProductType } from '../vocabulary/catalogue/product.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** A parameter of a product and its value; reports group by parameters. */
export const ProductParameter = z.strictObject({ name: z.string(), value: z.string() })
export type ProductParameter = z.infer<typeof ProductParameter>

/** A product that a merchant sells. `vat` is a percentage with up to two decimals, `cost` minor units of `currency`. */
export const Product = z.strictObject({
  id: z.uuid(),
  version: Version,
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  productType: ProductType,
  vat: z.number().nullable(),
  gtin: z.string().nullable(),
  cost: MinorUnits.nullable(),
  allergens: z.array(Allergen),
  parameters: z.array(ProductParameter),
  /** A small picture as a data URL, 64 pixels at most on a side; null without a picture. */
  thumbnail: z.string().nullable(),
  planograms: z.int(),
  createdAt: Instant,
})
export type Product = z.infer<typeof Product>

export const ProductFilters = z.strictObject({
  /** In code, name, description and GTIN. */
  search: Search.optional(),
  productTypes: oneOrMany(ProductType),
  /** Products in planograms, or in none. */
  hasPlanograms: Flag.optional(),
})
export type ProductFilters = z.infer<typeof ProductFilters>

export const productOrds = ['name', 'code', 'productType', 'cost', 'createdAt'] as const

/** Exports have the columns that an import reads, so that a round trip changes nothing. */
export const productColumns = {
  name: { kind: 'text', heading: 'product:field.name' },
  code: { kind: 'text', heading: 'product:field.code' },
  merchant: { kind: 'text', heading: 'product:column.merchant' },
  productType: { kind: 'word', heading: 'product:field.productType', of: 'productType' },
  description: { kind: 'text', heading: 'product:field.description' },
  vat: { kind: 'decimal', heading: 'product:field.vat' },
  cost: { kind: 'amount', heading: 'product:field.cost' },
  gtin: { kind: 'text', heading: 'product:field.gtin' },
  allergens: { kind: 'words', heading: 'product:field.allergens', of: 'allergen' },
  parameters: { kind: 'text', heading: 'product:field.parameters' },
  planograms: { kind: 'number', heading: 'product:column.planograms' },
  createdAt: { kind: 'instant', heading: 'product:column.created' },
  id: { kind: 'plain', heading: 'product:column.id' },
} as const satisfies ListColumns

/** At most so many of what blocks a deletion are named; all are counted. */
export const mostProductBlockers = 20

const Named = z.strictObject({ id: z.uuid(), name: z.string() })

/** Facts of `ProductInPlanograms`. */
export const ProductBlockers = z.strictObject({
  planograms: z.int(),
  firstPlanograms: z.array(Named),
  profiles: z.int(),
  firstProfiles: z.array(Named),
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
    summary: 'Delete a product that no planogram or no-vend profile uses',
    needs: 'product.write',
    feature: 'vending',
    fails: ['ProductNotFound', 'ProductInPlanograms'],
  }),
}
