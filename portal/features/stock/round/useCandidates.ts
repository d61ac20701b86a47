import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { mostStops, rounds, type VisitCandidate } from '#contract/stock/round.ts'
import { call, keyOf, metaOf, queryOf } from '#portal/app/api.ts'

/** Candidates of one page. */
const size = 40

/** Machines worth a visit on a day, page by page, the most money at stake first. */
export function useCandidates(merchantId: string, day: string) {
  const params = { merchantId }
  const answer = useInfiniteQuery({
    queryKey: keyOf(rounds.listVisitCandidates, { params, query: { day, size } }),
    meta: metaOf(rounds.listVisitCandidates),
    queryFn: ({ pageParam, signal }) =>
      call(rounds.listVisitCandidates, { params, query: { day, size, page: pageParam } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * size < total ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const candidates = useMemo(() => {
    // A machine may move to the next page while the first one is read.
    const byId = new Map(answer.data?.pages.flatMap(({ items }) => items).map((one) => [one.posId, one]))
    return [...byId.values()]
  }, [answer.data])
  const first = answer.data?.pages[0]
  return { answer, candidates, total: first?.total ?? 0, currency: first?.currency }
}

const none: readonly VisitCandidate[] = []

/** Chosen machines that are on no page that was read: of a kept input, or of another day. */
export function useMissing(merchantId: string, day: string, posIds: readonly string[]): readonly VisitCandidate[] {
  const query = { day, posIds: [...posIds], size: mostStops }
  const answer = useQuery({
    ...queryOf(rounds.listVisitCandidates, { params: { merchantId }, query }),
    enabled: posIds.length > 0 && posIds.length <= mostStops,
    placeholderData: keepPreviousData,
  })
  return answer.data?.items ?? none
}
