import { Product, type products } from '#contract/catalogue/product.ts'
import type { productEdits } from '#contract/catalogue/product-edit.ts'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { ProductError } from '#contract/errors.ts'
import { fileFault, fileRules } from '#contract/frame/file-rules.ts'
import { allergens } from '#contract/vocabulary/catalogue/product.ts'
import { productList, usersOfProduct } from '#database/catalogue/product.ts'
import { adoptCodes, releaseCodes } from '#database/catalogue/product-code.ts'
import {
  type Picture,
  type PictureKind,
  pictureKinds,
  pictureOf,
  writePicture,
} from '#database/catalogue/product-picture.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { noteFormerProductTerms, noteLastProduct } from '#database/sales/former-terms.ts'
import { factsOf, kindOf } from '#domain/frame/file-kind.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseFault } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

/** A product as it is stored: its allergens once each, in the order of the regulation. */
export const storedProduct = (product: NewProduct): NewProduct => ({
  ...product,
  allergens: allergens.filter((one) => product.allergens.includes(one)),
})

export const productRecord = editable({
  noun: 'product',
  rows: productList,
  fields: NewProduct,
  stored: storedProduct,
  present: (product) => wireOf(Product, product),
  duplicates: { products_by_code: ['ProductAlreadyExists', 'code'] },
  blockedBy: usersOfProduct,
  ending: async ({ db, now }, { merchant_id, id }, after) => {
    if (after) await noteFormerProductTerms(db, merchant_id, [{ ...after, id }], now)
  },
  inUse: 'ProductInPlanograms',
  clear: async ({ db, now }, product) => {
    await noteLastProduct(db, product, now)
    await releaseCodes(db, product)
  },
})

/** The bytes of a data URL. Throws if they are not of the kind that it names, or break a rule of pictures. */
function pictureIn(url: string, field: 'full' | 'thumbnail'): Picture {
  const [, named, data] = /^data:image\/(\w+);base64,(.*)$/.exec(url) ?? []
  const bytes = Buffer.from(data ?? '', 'base64')
  const detected = kindOf(bytes)
  const kind: PictureKind | undefined = pictureKinds.find((one) => one === (detected === 'jpg' ? 'jpeg' : detected))
  if (!kind || kind !== named) throw new ProductError('UnsupportedMediaType')
  const fault = fileFault(fileRules.productPicture, factsOf(bytes, bytes.length))
  if (fault) refuseFault(`picture.${field}`, fault)
  return { kind, bytes }
}

/** Products of a merchant and their pictures. */
export const productHandlers: Handlers<typeof products & typeof productEdits> = {
  ...productRecord.handlers,

  createProduct: async (call) => {
    const product = await productRecord.create(call, call.params.merchantId, call.body)
    await adoptCodes(call.db, product.merchantId, [product.id])
    return product
  },

  updateProduct: async (call) => {
    const before = await productRecord.of(call.db, call.params.productId)
    const product = await productRecord.update(call, call.params.productId, call.body)
    if (product.code !== before.code) await adoptCodes(call.db, product.merchantId, [product.id])
    return product
  },

  getProductPicture: async ({ db, params, reply }) => {
    const picture = await pictureOf(db, params.productId)
    if (!picture) throw new ProductError('ProductNotFound')
    reply.type(`image/${picture.kind}`).send(picture.bytes)
  },

  setProductPicture: async (call) => {
    const { db, params, body, user, now, live } = call
    const encoded = body.picture
    if (encoded) pictureIn(encoded.thumbnail, 'thumbnail')
    const picture = encoded && { ...pictureIn(encoded.full, 'full'), thumbnail: encoded.thumbnail }
    const key = await productRecord.use(db, params.productId)
    const hadOne = (await pictureOf(db, key.id)) !== undefined
    await writePicture(db, key, picture)
    if (picture || hadOne) {
      const subject = { subjectType: 'product', subjectId: key.id, action: 'product.update' }
      const change = { before: { picture: hadOne }, after: { picture: picture !== null } }
      await recordChange(db, { merchantId: key.merchant_id, at: now, user, ...subject, ...change })
      db.afterCommit(() => live.announce(key.merchant_id, 'product'))
    }
    return productRecord.get(call, call.params.productId)
  },
}
