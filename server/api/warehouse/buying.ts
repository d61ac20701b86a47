import { ProductError } from '#contract/errors.ts'
import type { buying, ProductToBuy } from '#contract/warehouse/buying.ts'
import type { Handlers } from '#server/http/handler.ts'
import { pageIn } from '#server/http/short-list.ts'
import { sendBuyingPdf } from './buying-pdf.ts'
import { productsMatching } from './products-to-buy.ts'

export const buyingHandlers: Handlers<typeof buying> = {
  getProductsToBuyPdf: sendBuyingPdf,

  listProductsToBuy: async ({ db, query, now }) => {
    if (db.scope.length !== 1) throw new ProductError('MerchantNotSelected')
    const matching = await productsMatching(db, now, query)
    const sum = (valueOf: (one: ProductToBuy) => number | null) =>
      matching.reduce((total, one) => total + (valueOf(one) ?? 0), 0)
    // Products of one merchant have one currency.
    const totals = matching.slice(0, 1).map(({ currency }) => ({
      currency,
      values: { toBuy: sum(({ toBuy }) => toBuy), cost: sum(({ cost }) => cost) },
    }))
    return { ...pageIn(matching, query), totals }
  },
}
