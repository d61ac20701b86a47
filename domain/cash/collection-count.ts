import type { CollectionLine, Pieces } from '#contract/cash/collection.ts'
import type { CollectionStatus } from '#contract/vocabulary/cash.ts'
import type { Denomination } from '#contract/vocabulary/world/denominations.ts'

/** Counted minus expected; negative if money is missing. */
export const differenceOf = (counted: number | null, expected: number | null): number | null =>
  counted === null || expected === null ? null : counted - expected

/** A count without anything to compare it with needs no dispute. */
export const isWithin = (difference: number | null, tolerance: number): boolean =>
  difference === null || Math.abs(difference) <= tolerance

export const totalOf = (pieces: readonly Pieces[]): number =>
  pieces.reduce((sum, { value, count }) => sum + value * count, 0)

/** Pieces as they are stored: by value, without empty denominations. */
export const orderly = (pieces: readonly Pieces[]): Pieces[] =>
  pieces.filter(({ count }) => count > 0).toSorted((one, other) => one.value - other.value)

const written = (pieces: readonly Pieces[]) => orderly(pieces).map(({ value, count }) => `${value} ${count}`)

export const samePieces = (one: readonly Pieces[], other: readonly Pieces[]): boolean =>
  written(one).join() === written(other).join()

/** Why a step is refused; undefined if it is allowed. */
export function refusalOf(
  step: 'count' | 'dispute' | 'close' | 'reopen',
  status: CollectionStatus,
): 'CollectionClosed' | 'CollectionNotCounted' | 'CollectionNotClosed' | undefined {
  if (step === 'reopen') return status === 'closed' ? undefined : 'CollectionNotClosed'
  if (status === 'closed') return 'CollectionClosed'
  return step !== 'count' && status === 'open' ? 'CollectionNotCounted' : undefined
}

/** Pieces with their sign, as amounts write it. */
export const signedPieces = (pieces: number, write: (pieces: number) => string): string =>
  `${pieces > 0 ? '+' : pieces < 0 ? '\u2212' : ''}${write(Math.abs(pieces))}`

const countIn = (pieces: readonly Pieces[] | null, value: number): number | null =>
  pieces?.find((one) => one.value === value)?.count ?? null

/** The three sides by denomination: all of the currency, and others that a machine reports. */
export function linesOf(
  denominations: readonly Denomination[],
  sides: { audited: readonly Pieces[]; transmitted: readonly Pieces[]; counted: readonly Pieces[] | null },
): CollectionLine[] {
  const values = new Set(denominations.map(({ value }) => value))
  const strange = [...sides.audited, ...sides.transmitted]
    .map(({ value }) => value)
    .filter((value) => !values.has(value))
  const all = [...denominations, ...[...new Set(strange)].map((value) => ({ value, kind: 'coin' as const }))]
  return all
    .toSorted((one, other) => one.value - other.value)
    .map(({ value, kind }) => ({
      value,
      kind,
      audited: countIn(sides.audited, value),
      transmitted: countIn(sides.transmitted, value),
      counted: sides.counted && (countIn(sides.counted, value) ?? 0),
    }))
}
