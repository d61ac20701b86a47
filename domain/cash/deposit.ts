import type { CollectionStatus, DepositStatus } from '#contract/vocabulary/cash.ts'

/** What the bank said of a deposit. Minor units; null as long as its statement lacks it. */
export function depositStatusOf({ amount, credited }: { amount: number; credited: number | null }): DepositStatus {
  if (credited === null) return 'open'
  return credited === amount ? 'credited' : 'differs'
}

/** Whether the money of a collection may be deposited: only counted money is known. */
export const mayDeposit = (status: CollectionStatus): boolean => status !== 'open'
