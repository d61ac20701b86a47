import { ProductCode, type productCodes } from '#contract/catalogue/product-code.ts'
import { ProductError } from '#contract/errors.ts'
import { productList } from '#database/catalogue/product.ts'
import { findCode, listCodes, mapCode, type ProductCodeRecord } from '#database/catalogue/product-code.ts'
import { recordsOf } from '#database/frame/records.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

const products = recordsOf(productList.table)

const presentCode = (row: ProductCodeRecord) => wireOf(ProductCode, row)

/** What machines call products, and the products they mean. */
export const productCodeHandlers: Handlers<typeof productCodes> = {
  listProductCodes: async ({ db, query }) => {
    const { rows, ...page } = await listCodes(db, query)
    return { items: rows.map(presentCode), ...page }
  },

  mapProductCode: async (call) => {
    const { params, body, user, now, live } = call
    const productCode = await findCode(call.db, params.productCodeId)
    if (!productCode) throw new ProductError('ProductCodeNotFound')
    // Rows are locked in one merchant; a product of another merchant is missing there.
    const db = withinScope(call.db, [{ merchantId: productCode.merchant_id, groups: 'all' }])
    if (body.productId !== null && !(await products.hold(db, body.productId, 'use')))
      throw new ProductError('ProductNotFound')
    const code = await mapCode(db, params.productCodeId, body.productId)
    if (!code) throw new ProductError('ProductCodeNotFound')
    if (code.product_id !== body.productId) {
      const merchantId = code.merchant_id
      const subjectId = params.productCodeId
      const subject = { action: 'productCode.map', subjectType: 'productCode', subjectId }
      const change = {
        before: { code: code.code, productId: code.product_id },
        after: { code: code.code, productId: body.productId },
      }
      await recordChange(db, { merchantId, at: now, user, ...subject, ...change })
      db.afterCommit(() => live.announce(merchantId, 'product'))
    }
    const mapped = await findCode(call.db, params.productCodeId)
    if (!mapped) throw new ProductError('ProductCodeNotFound')
    return presentCode(mapped)
  },
}
