import type { ChangeFundKind } from '#contract/cash/round-money.ts'

export interface FundEntry {
  kind: ChangeFundKind
  /** Minor units. */
  amount: number
}

/** What a driver still has of the change of a round. */
export const openFund = (entries: readonly FundEntry[]): number =>
  entries.reduce((open, { kind, amount }) => open + (kind === 'given' ? amount : -amount), 0)

/** Whether an entry may be booked: no more is returned than a driver has. */
export const mayBook = (entries: readonly FundEntry[], next: FundEntry): boolean => openFund([...entries, next]) >= 0
