import type { ReconciledDay } from '#contract/reconciliation.ts'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { useNow } from '../../../ui/When.tsx'
import { dayLooks } from './looks.ts'
import { shownState } from './shownState.ts'

/** How a day stands, as of now. */
export const DayState = ({ row }: { row: ReconciledDay }) => (
  <StatusBadge of={dayLooks} value={shownState(row, useNow())} />
)
