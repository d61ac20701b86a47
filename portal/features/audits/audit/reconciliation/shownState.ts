import type { ReconciledDay } from '#contract/audits/reconciliation.ts'
import type { DayAgreement } from '#contract/vocabulary/audit.ts'
import { dayIn } from '#domain/time/period.ts'

/** The state of a day; before the day's end at the machine, no reading is missing. */
export const shownState = (
  { state, day, timeZone }: Pick<ReconciledDay, 'state' | 'day' | 'timeZone'>,
  now: Date,
): DayAgreement | 'notYet' => (state === 'notRead' && day >= dayIn(now, timeZone) ? 'notYet' : state)
