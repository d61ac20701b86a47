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

/** What was sold under one agreement. */
export interface SoldUnder {
  agreed: Commission
  sold: SoldAtClient
}

/** Hundredths of a percent of minor units. */
const exactOf = ({ agreed: { kind, percent, perVend }, sold }: SoldUnder): bigint => {
  if (kind === 'perVend') return BigInt(sold.vends) * BigInt(perVend ?? 0) * 10_000n
  if (kind === 'none') return 0n
  return BigInt(commissionBase(sold)) * BigInt(Math.round((percent ?? 0) * 100))
}

/** The commission of a line of a statement, in minor units; agreements that follow each other are rounded once, half a unit up. */
export const commissionOf = (parts: readonly SoldUnder[]): number =>
  Number((parts.reduce((sum, part) => sum + exactOf(part), 0n) + 5000n) / 10_000n)
