import type { ReconciledDay } from '#contract/audits/reconciliation.ts'
import type { DayAgreement } from '#contract/vocabulary/audit.ts'
import { dayIn } from '#domain/time/period.ts'

/** How a day stands; without a read a day that is not over at the machine has missed none. */
export const shownState = (
  { state, day, timeZone }: Pick<ReconciledDay, 'state' | 'day' | 'timeZone'>,
  now: Date,
): DayAgreement | 'notYet' => (state === 'notRead' && day >= dayIn(now, timeZone) ? 'notYet' : state)
