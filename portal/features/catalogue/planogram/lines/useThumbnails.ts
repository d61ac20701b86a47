import { useQueries } from '@tanstack/react-query'
import { mostThumbnails, productChoices } from '#contract/catalogue/product-choice.ts'
import { queryOf } from '#portal/app/api.ts'

/** Small pictures of products as data URLs, by id. */
export function useThumbnails(merchantId: string, ids: readonly string[]): ReadonlyMap<string, string> {
  // Sorted, so that another order of selections needs no new request.
  const sorted = [...new Set(ids)].sort()
  const parts: string[][] = []
  for (let from = 0; from < sorted.length; from += mostThumbnails) parts.push(sorted.slice(from, from + mostThumbnails))
  const answers = useQueries({
    queries: parts.map((productIds) =>
      queryOf(productChoices.listThumbnails, { params: { merchantId }, query: { productIds } }),
    ),
  })
  return new Map(answers.flatMap(({ data = [] }) => data.map(({ id, thumbnail }) => [id, thumbnail] as const)))
}
