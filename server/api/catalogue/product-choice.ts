import { mostThumbnails, ProductChoice, type productChoices } from '#contract/catalogue/product-choice.ts'
import { listProductChoices, thumbnailsOf } from '#database/catalogue/product-choice.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

/** Products as they are chosen for planograms. */
export const productChoiceHandlers: Handlers<typeof productChoices> = {
  listProductChoices: async ({ db }) => {
    const { items, ...page } = await listProductChoices(db)
    return { ...page, items: items.map((row) => wireOf(ProductChoice, row)) }
  },
  listThumbnails: ({ db, query }) => thumbnailsOf(db, (query.productIds ?? []).slice(0, mostThumbnails)),
}
