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
  /** Minor units that nothing explains. */
  amount: number
}

/** Clocks of two machines may differ by this much. */
const toleranceMs = 5 * 60_000

/**
 * What a new reading shows beside the readings with the same counter and its neighbours. Each pair is compared once, when its
 * second reading arrives, so the order of arrival does not matter.
 */
export function findingsOf(reading: KeyReading, others: readonly KeyReading[]): KeyFinding[] {
  const found: KeyFinding[] = []
  for (const other of others) {
    if (other.sourceId === reading.sourceId) continue
    const [before, after] = other.counter <= reading.counter ? [other, reading] : [reading, other]
    const key = [before, after].map(({ counter, sourceId }) => `${counter}:${sourceId.slice(-12)}`)
    const at = Math.max(before.at, after.at)
    if (before.counter === after.counter) {
      // Two machines may read a key without using it.
      if (before.credit !== after.credit || (before.change !== 0 && after.change !== 0))
        found.push({
          kind: 'counterReused',
          key: `reused ${key.sort().join(' ')}`,
          at,
          amount: after.credit - before.credit,
        })
    } else if (before.at > after.at + toleranceMs) {
      found.push({
        kind: 'counterBackwards',
        key: `backwards ${key.join(' ')}`,
        at,
        amount: after.credit - before.credit,
      })
    } else if (after.counter === before.counter + 1 && after.credit !== before.credit + after.change) {
      const amount = after.credit - before.credit - after.change
      found.push({ kind: 'unexplainedCredit', key: `unexplained ${key.join(' ')}`, at, amount })
    }
  }
  return found
}
