import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { callRow, keyOf } from '#portal/app/api.ts'
import type { PageOf } from '../rows/useRows.ts'
import { allMatching } from './matching.ts'

/** A chart of many rows is refreshed by the clock only, not by each live hint. */
const refreshMs = 5 * 60_000

/** All rows that match a list's filters, in its order; the current page if it has all of them. */
export function useMatching<T>(
  row: AnyEndpoint,
  input: { params: unknown; query: Record<string, unknown> },
  page: PageOf<T>,
) {
  const isWhole = page.items.length >= page.total
  const { page: _, size: __, cursor: ___, ...query } = input.query
  const answer = useQuery({
    queryKey: ['chart', ...keyOf(row, { params: input.params, query })],
    queryFn: ({ signal }) =>
      allMatching(
        async (part) => (await callRow(row, { params: input.params, query: part }, signal)) as PageOf<T>,
        query,
      ),
    enabled: !isWhole,
    staleTime: refreshMs,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  return isWhole ? page.items : answer.data
}
