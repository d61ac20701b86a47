import { ReconciledDays } from './ReconciledDays.tsx'

/** Whether audited, transmitted and reported money match, for all machines. */
export default function DaysScreen() {
  return <ReconciledDays />
}
