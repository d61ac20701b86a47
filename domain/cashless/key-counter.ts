import type { MediaFindingKind } from '#contract/vocabulary/cashless.ts'

/** The credit on a key after one use, by its own counter. Minor units. */
export interface KeyReading {
  counter: number
  sourceId: string
  /** Milliseconds. */
  at: number
  credit: number
  /** What this use changed: a sale is negative, a recharge positive, a mere reading zero. */
  change: number
}

export interface KeyFinding {
  kind: Extract<MediaFindingKind, 'counterBackwards' | 'counterReused' | 'unexplainedCredit'>
  /** The same finding has the same key, in whatever order its readings arrive. */
  key: string
  at: number
  /** Minor units that nothing explains; of a counter that runs backwards the credit on the key. */
  amount: number
}

/** Types of transactions that are paid with the key, or give money back onto it: sale, free sale, refund, reversal. */
const paidTypes: readonly number[] = [1, 2, 6, 16]

/** What a transaction with a key changes on it: a load adds, a sale that no cloud credit paid takes, a refund gives back. Minor units. */
export const keyChangeOf = (sale: {
  type: number
  value: number
  valueCharge: number
  reservationId?: string | undefined
}): number => sale.valueCharge - (sale.reservationId === undefined && paidTypes.includes(sale.type) ? sale.value : 0)

/** Clocks of two machines may differ by this much. */
const toleranceMs = 5 * 60_000

/** By counter; readings with one counter by time. */
const compared = (one: KeyReading, other: KeyReading) =>
  one.counter - other.counter || one.at - other.at || (one.sourceId < other.sourceId ? -1 : 1)

/**
 * What a new reading shows beside the readings with the same counter and its neighbours. Each pair is compared once, when its
 * second reading arrives, so the order of arrival does not matter.
 */
export function findingsOf(reading: KeyReading, others: readonly KeyReading[]): KeyFinding[] {
  const findings: KeyFinding[] = []
  for (const other of others) {
    if (other.sourceId === reading.sourceId) continue
    const [before, after] = compared(other, reading) < 0 ? [other, reading] : [reading, other]
    const key = [before, after].map(({ counter, sourceId }) => `${counter}:${sourceId.slice(-12)}`)
    const at = Math.max(before.at, after.at)
    if (before.counter === after.counter) {
      // Two machines may read a key without using it.
      if (before.credit !== after.credit || (before.change !== 0 && after.change !== 0))
        findings.push({
          kind: 'counterReused',
          key: `reused ${key.join(' ')}`,
          at,
          amount: after.credit - before.credit,
        })
    } else if (before.at > after.at + toleranceMs) {
      // The lower counter was used later. It is one finding, however many readings contradict it.
      findings.push({ kind: 'counterBackwards', key: `backwards ${key[0]}`, at, amount: before.credit })
    } else if (after.counter === before.counter + 1 && after.credit !== before.credit + after.change) {
      const amount = after.credit - before.credit - after.change
      findings.push({ kind: 'unexplainedCredit', key: `unexplained ${key.join(' ')}`, at, amount })
    }
  }
  return findings
}
