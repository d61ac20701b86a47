import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Product } from './product.ts'
import { NewProduct } from './product-fields.ts'

export const UpdateProduct = editOf(NewProduct)

/** The largest picture, in bytes, and the largest thumbnail. */
export const largestPicture = 1_000_000
export const largestThumbnail = 12_000

/** A PNG, JPEG or WebP picture as a data URL; the server compares the kind with the bytes. */
const PictureUrl = (largest: number) =>
  z
    .string()
    .max(Math.ceil((largest * 4) / 3) + 40)
    .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, saying('fileType'))

export const productEdits = {
  createProduct: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/products',
    summary: 'Create a product; an error names the duplicate code',
    needs: 'product.write',
    feature: 'vending',
    body: NewProduct,
    ok: Product,
    status: 201,
    fails: ['MerchantNotSelected', 'ProductAlreadyExists'],
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/products/{productId}',
    summary: 'Update a product',
    needs: 'product.write',
    feature: 'vending',
    body: UpdateProduct,
    ok: Product,
    fails: ['ProductNotFound', 'ProductAlreadyExists', 'EditConflict'],
  }),
  getProductPicture: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/products/{productId}/picture',
    summary: 'Get the picture of a product',
    needs: 'product.read',
    feature: 'vending',
    finds: ['productId'],
    produces: 'application/octet-stream',
    fails: ['ProductNotFound'],
  }),
  setProductPicture: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/products/{productId}/picture',
    summary: 'Set the picture of a product, or remove it',
    needs: 'product.write',
    feature: 'vending',
    body: z.strictObject({
      picture: z.strictObject({ full: PictureUrl(largestPicture), thumbnail: PictureUrl(largestThumbnail) }).nullable(),
    }),
    ok: Product,
    fails: ['ProductNotFound', 'UnsupportedMediaType'],
    longestBody: 1_500_000,
  }),
}
