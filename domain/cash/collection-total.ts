import type { CollectionLine, Pieces } from '#contract/cash/collection.ts'
import { differenceOf, totalOf } from './collection-count.ts'

/*
 * The parts of a collection's total. A total and its pieces have different sources: the machine reports an amount when the box is
 * taken, and pieces with its cash report before. So each side says which part of its total it knows by denomination.
 */

export interface Side {
  /** Minor units; null: not known. */
  total: number | null
  /** The pieces that belong to the total. */
  pieces: Pieces[]
  /** The part of the total that is not known by denomination. */
  rest: number | null
}

/** A side of a collection: total = pieces + rest. Pieces of more than the total are those of another moment, so none belongs to it. */
export function sideOf(total: number | null, pieces: readonly Pieces[]): Side {
  const sum = totalOf(pieces)
  if (total === null || sum > total) return { total, pieces: [], rest: total }
  return { total, pieces: [...pieces], rest: total - sum }
}

/** The pieces that were taken: the last report before, minus the pieces that stayed; none if more stayed than the report had. */
export function takenPieces(before: readonly Pieces[], stayed: readonly Pieces[]): Pieces[] {
  const left = new Map(before.map(({ value, count }) => [value, count]))
  for (const { value, count } of stayed) left.set(value, (left.get(value) ?? 0) - count)
  const pieces = [...left].map(([value, count]) => ({ value, count }))
  return pieces.some(({ count }) => count < 0) ? [] : pieces.filter(({ count }) => count > 0)
}

/** The sides with which a count is compared, the better first. */
export const comparedSides = ['audited', 'transmitted'] as const
type ComparedSide = (typeof comparedSides)[number]
interface Totals {
  audited: number | null
  isAuditExact: boolean
  transmitted: number | null
}

/** The side that a count is compared with: audited if exact, else transmitted, else audited; null without either. */
export function comparedWith({ audited, isAuditExact, transmitted }: Totals): ComparedSide | null {
  if (isAuditExact && audited !== null) return 'audited'
  if (transmitted !== null) return 'transmitted'
  return audited === null ? null : 'audited'
}

/**
 * Counted minus expected pieces of a denomination. Null unless the compared total is known by denomination as a whole: a piece of the rest
 * may be of any.
 */
export function lineDifference(
  line: Pick<CollectionLine, ComparedSide | 'counted'>,
  { side, rest }: { side: ComparedSide | null; rest: Readonly<Record<ComparedSide, number | null>> },
): number | null {
  return side === null || rest[side] !== 0 ? null : differenceOf(line.counted, line[side] ?? 0)
}
