import { ReconciledDays } from './ReconciledDays.tsx'

/** Where audited, transmitted and reported money agree, of all machines. */
export default function DaysScreen() {
  return <ReconciledDays />
}
