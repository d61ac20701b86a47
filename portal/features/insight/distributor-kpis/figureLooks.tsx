import type { Began, Down, Taken } from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import type { Look } from '#portal/ui/list/recordColumns.tsx'
import { BandBadge } from './BandBadge.tsx'
import { shareOf, type useKpiWords } from './useKpiWords.ts'

/** Looks of the figures that lists of machines and of merchants have. */
export const figureLooks = <T extends Taken & Down & Began>(
  words: ReturnType<typeof useKpiWords>,
): Record<string, Look<T>> => ({
  rejectionRate: { card: 'badge', number: (one) => rejectionRate(one), cell: (one) => <BandBadge counts={one} /> },
  blocked: {
    number: ({ blockedSeconds, seconds }) => 100 * (shareOf(blockedSeconds, seconds) ?? 0),
    cell: (one) => words.blocked(one),
  },
  absent: {
    number: ({ absentSeconds, seconds }) => 100 * (shareOf(absentSeconds, seconds) ?? 0),
    cell: (one) => words.absent(one),
  },
  mcbf: { number: undefined, cell: (one) => words.mcbf(one) },
  accepted: { isHidden: true },
  blockingAlarms: { isHidden: true },
})
