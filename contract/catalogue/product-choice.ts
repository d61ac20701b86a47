import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { MinorUnits, oneOrMany, pageOf } from '../frame/shapes.ts'

/** A product as it is chosen in a planogram: by its code or its name. */
export const ProductChoice = z.strictObject({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** What a line of a planogram begins with when it gets the product. */
  defaultPrice: MinorUnits.nullable(),
  defaultFill: z.int().nullable(),
})
export type ProductChoice = z.infer<typeof ProductChoice>

/** At most so many thumbnails in one call. */
export const mostThumbnails = 100

export const productChoices = {
  listProductChoices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/product-choices',
    summary: 'List products by code without pages, up to 10,000; `capped` is true if there are more',
    needs: 'product.read',
    feature: 'vending',
    topics: ['product'],
    ok: pageOf(ProductChoice),
  }),
  listThumbnails: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/product-thumbnails',
    summary: 'List small pictures of products; products without a picture are left out',
    needs: 'product.read',
    feature: 'vending',
    topics: ['product'],
    query: z.strictObject({ productIds: oneOrMany(ids.productId) }),
    /** Data URLs. */
    ok: z.array(z.strictObject({ id: z.uuid(), thumbnail: z.string() })),
    fails: ['ProductNotFound'],
  }),
}
