import type { CommissionKind } from '#contract/merchants/client.ts'

/** What is agreed with a client. `percent` has up to two decimals; `perVend` is minor units. */
export interface Commission {
  kind: CommissionKind
  percent: number | null
  perVend: number | null
}

/** What was sold, in minor units; `vends` are paid and did not fail. */
export interface SoldAtClient {
  sales: number
  refunds: number
  vends: number
}

/** Sales less refunds: what a percentage is taken of. Never below zero. */
export const commissionBase = ({ sales, refunds }: SoldAtClient): number => Math.max(0, sales - refunds)

/** The commission of a line of a statement, in minor units; half a unit is rounded up. */
export function commissionOf({ kind, percent, perVend }: Commission, sold: SoldAtClient): number {
  if (kind === 'perVend') return sold.vends * (perVend ?? 0)
  if (kind === 'none') return 0
  const hundredths = BigInt(Math.round((percent ?? 0) * 100))
  return Number((BigInt(commissionBase(sold)) * hundredths + 5000n) / 10_000n)
}
