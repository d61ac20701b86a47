import { randomUUID } from 'node:crypto'
import type { products } from '#contract/catalogue/product.ts'
import type { productCodes } from '#contract/catalogue/product-code.ts'
import type { productEdits } from '#contract/catalogue/product-edit.ts'
import type { AnyInput } from '../api.ts'
import { pngOfOnePixel } from '../nouns/catalogue.ts'
import type { Aim } from './aim.ts'

type Rows = typeof products & typeof productEdits & typeof productCodes

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofProduct = ({ merchantId, productId }: Aim) => ({ params: { merchantId, productId } })
const url = `data:image/png;base64,${pngOfOnePixel.toString('base64')}`

/** A valid call of each endpoint of products. */
export const productSamples: Record<keyof Rows, { input: (aim: Aim) => AnyInput }> = {
  listProducts: { input: ofMerchant },
  getProduct: { input: ofProduct },
  createProduct: {
    input: (aim) => ({ ...ofMerchant(aim), body: { code: randomUUID(), name: 'A product', productType: 'C' } }),
  },
  updateProduct: {
    input: (aim) => ({
      ...ofProduct(aim),
      body: { version: 1, code: aim.productId, name: 'A product', productType: 'C' },
    }),
  },
  deleteProduct: { input: ofProduct },
  getProductPicture: { input: ofProduct },
  listProductCodes: { input: (aim) => ({ ...ofMerchant(aim), query: { productId: aim.productId } }) },
  mapProductCode: {
    input: ({ merchantId, productId, productCodeId }) => ({
      params: { merchantId, productCodeId },
      body: { productId },
    }),
  },
  setProductPicture: { input: (aim) => ({ ...ofProduct(aim), body: { picture: { full: url, thumbnail: url } } }) },
}
