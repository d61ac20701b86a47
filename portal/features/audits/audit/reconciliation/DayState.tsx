import type { ReconciledDay } from '#contract/audits/reconciliation.ts'
import { useNow } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { dayLooks } from './looks.ts'
import { shownState } from './shownState.ts'

/** The current reconciliation state of a day. */
export const DayState = ({ row }: { row: ReconciledDay }) => (
  <StatusBadge of={dayLooks} value={shownState(row, useNow())} />
)
