import { type Measure, noRatio, type Ratio, weighedRate } from './rate.ts'

/** A coming day is compared with so many days on each side of the same weekday a year ago. */
const daysAround = 14
/** Fewer customers or pieces say nothing about a season. */
const leastCustomers = 5
const leastPieces = 5

/**
 * The course of the year before from this day on: the rate around each coming day, against the rate that the same weights give a year earlier. Nothing where the past is
 * too short.
 */
export function seasonOf({ sold, customers }: Measure, weights: Float64Array, days: number, year: number): Ratio[] {
  const count = sold.length
  const now = weighedRate({ sold, customers }, weights, year)
  if (count <= year || now.pieces < leastPieces) return Array(days).fill(noRatio)
  return Array.from({ length: days }, (_, ahead) => {
    const middle = count + ahead - year
    let pieces = 0
    let some = 0
    for (let at = Math.max(0, middle - daysAround); at <= Math.min(count - 1, middle + daysAround); at++) {
      pieces += sold[at] ?? 0
      some += customers[at] ?? 0
    }
    if (some < leastCustomers) return noRatio
    return { log: Math.log((pieces + 1) / some / now.perDay), variance: 1 / (pieces + 1) + 1 / now.pieces }
  })
}
