import { mostThumbnails, type productChoices } from '#contract/catalogue/product-choice.ts'
import { listProductChoices, thumbnailsOf } from '#database/catalogue/product-choice.ts'
import type { Handlers } from '#server/http/handler.ts'

/** Products as they are chosen for planograms. */
export const productChoiceHandlers: Handlers<typeof productChoices> = {
  listProductChoices: ({ db }) => listProductChoices(db),
  listThumbnails: ({ db, query }) => thumbnailsOf(db, (query.productIds ?? []).slice(0, mostThumbnails)),
}
