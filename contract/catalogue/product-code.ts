import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, paged, pageOf, Search } from '../frame/shapes.ts'

/**
 * A product as machines name it in sales, prices, stock and audits (PA1), and the merchant's product that it means. A code equal to a
 * product's own code is mapped automatically. Users of some groups see codes that machines of these groups have sent.
 */
export const ProductCode = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  /** The name that the machine sends, otherwise its code. */
  code: z.string(),
  /** The code that the machine sent beside the name. */
  machineCode: z.string().nullable(),
  productId: z.uuid().nullable(),
  productName: z.string().nullable(),
  firstSeenAt: Instant,
  /** The machine that sent it first; null when it is outside the reader's groups or deleted. */
  posId: z.uuid().nullable(),
  posName: z.string().nullable(),
})
export type ProductCode = z.infer<typeof ProductCode>

export const ProductCodeFilters = z.strictObject({
  /** In the code and the machine's code. */
  search: Search.optional(),
  /** Only codes with a product, or without. */
  isMapped: Flag.optional(),
  productId: ids.productId.optional(),
})
export type ProductCodeFilters = z.infer<typeof ProductCodeFilters>

export const productCodeColumns = {
  code: { kind: 'text', heading: 'product-code:column.code' },
  machineCode: { kind: 'text', heading: 'product-code:column.machineCode' },
  merchant: { kind: 'text', heading: 'product-code:column.merchant' },
  product: { kind: 'place', of: 'product', heading: 'product-code:column.product' },
  machine: { kind: 'place', of: 'machine', heading: 'product-code:column.machine' },
  firstSeenAt: { kind: 'instant', heading: 'product-code:column.firstSeenAt' },
  acts: { kind: 'own', heading: 'product-code:column.acts' },
} as const satisfies ListColumns

export const productCodeOrds = ordsOf(productCodeColumns, 'code')

export const productCodes = {
  listProductCodes: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/product-codes',
    summary: "List the machines' own product codes",
    needs: 'product.read',
    feature: 'vending',
    topics: ['product'],
    query: ProductCodeFilters.extend(paged(productCodeOrds)),
    ok: pageOf(ProductCode).extend({ unmapped: z.int() }),
  }),
  mapProductCode: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/product-codes/{productCodeId}',
    summary: "Map a machine's product code to a product, or to none",
    needs: 'product.write',
    feature: 'vending',
    body: z.strictObject({ productId: ids.productId.nullable() }),
    ok: ProductCode,
    fails: ['ProductCodeNotFound', 'ProductNotFound'],
  }),
}
