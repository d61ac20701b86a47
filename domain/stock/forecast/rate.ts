import type { Course, SiteDays } from './site-days.ts'

export const sumOf = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** A course of the usual days, with the customers of each day as a share of an average day's; other days are nothing. */
export interface Measure {
  sold: Float64Array
  customers: Float64Array
}

export function measureOf({ sold, shown }: Course, days: SiteDays, week: readonly number[]): Measure {
  const measure = { sold: new Float64Array(days.count), customers: new Float64Array(days.count) }
  for (let at = 0; at < days.count; at++) {
    const customers = days.isUsual[at] ? (shown[at] ?? 0) * (week[days.weekdayOf(at)] ?? 1) : 0
    if (customers === 0) continue
    measure.sold[at] = sold[at] ?? 0
    measure.customers[at] = customers
  }
  return measure
}

/** A weekday counts half as much after so many days. */
const weekHalfLife = 56

/**
 * What each weekday sells of an average day. Another week counts as much as so many pieces: a selection that sells little follows the week of its machine.
 */
export function weekOf(course: Course, days: SiteDays, prior: readonly number[], pieces: number): number[] {
  const fade = 0.5 ** (1 / weekHalfLife)
  const sold = [0, 0, 0, 0, 0, 0, 0]
  const shown = [0, 0, 0, 0, 0, 0, 0]
  for (let at = days.count - 1, weight = 1; at >= 0; at--, weight *= fade) {
    if (!days.isUsual[at]) continue
    const weekday = days.weekdayOf(at)
    sold[weekday] = (sold[weekday] ?? 0) + (course.sold[at] ?? 0) * weight
    shown[weekday] = (shown[weekday] ?? 0) + (course.shown[at] ?? 0) * weight
  }
  const customers = sumOf(shown.map((one, weekday) => one * (prior[weekday] ?? 1)))
  const perDay = customers > 0 ? sumOf(sold) / customers : 0
  if (perDay === 0) return [...prior]
  const week = prior.map(
    (share, weekday) => ((sold[weekday] ?? 0) + pieces * share) / ((shown[weekday] ?? 0) * perDay + pieces),
  )
  const mean = sumOf(week) / week.length
  return week.map((share) => share / mean)
}

/** Averages of the past in which a day counts half after so many days. */
const halfLives = [7, 14, 28, 70, 140]
/** How much a wrong figure of yesterday still says against an average. */
const forgetting = 0.985
/** Days differ by more than chance, so the averages are not judged as strictly as chance would. */
const strictness = 0.5

/** Pieces of an average day now, and how much each day of the past counts in them. */
export interface Rate {
  perDay: number
  weights: Float64Array
}

/** The rate of a course: averages of the past, fast and slow ones, each by how well it has foreseen every next day (Poisson). */
export function rateOf({ sold, customers }: Measure): Rate {
  const count = sold.length
  const averages = halfLives.map((half) => ({ fade: 0.5 ** (1 / half), sold: 0, customers: 0, likely: 0 }))
  for (let at = 0; at < count; at++) {
    const pieces = sold[at] ?? 0
    const some = customers[at] ?? 0
    for (const average of averages) {
      if (some > 0 && average.customers > 0) {
        const expected = ((average.sold + 0.05) / (average.customers + 0.05)) * some
        average.likely = average.likely * forgetting + pieces * Math.log(expected) - expected
      }
      average.sold = average.sold * average.fade + pieces
      average.customers = average.customers * average.fade + some
    }
  }
  const best = Math.max(...averages.map(({ likely }) => likely))
  const trust = averages.map((one) => (one.customers > 0 ? Math.exp((one.likely - best) * strictness) : 0))
  const total = sumOf(trust)
  const weights = new Float64Array(count)
  let perDay = 0
  for (const [place, average] of averages.entries()) {
    const share = total > 0 ? (trust[place] ?? 0) / total : 0
    if (share === 0) continue
    perDay += (share * average.sold) / average.customers
    for (let at = count - 1, weight = share / average.customers; at >= 0 && weight > 1e-7; at--, weight *= average.fade)
      weights[at] = (weights[at] ?? 0) + weight
  }
  return { perDay, weights }
}

/** The logarithm of a ratio, and its variance by chance. */
export interface Ratio {
  log: number
  variance: number
}
export const noRatio: Ratio = { log: 0, variance: Number.POSITIVE_INFINITY }

/** A ratio as far as it is no chance, where such ratios usually vary by `prior`. */
export const shrunk = ({ log, variance }: Ratio, prior: number): number =>
  Number.isFinite(variance) ? (log * prior) / (prior + variance) : 0

/** The rate of a course by the weights of another one, some days earlier, with the number of pieces that it rests on. */
export function weighedRate({ sold, customers }: Measure, weights: Float64Array, earlier = 0) {
  let pieces = 0
  let some = 0
  let most = 0
  for (let at = earlier; at < sold.length; at++) {
    const weight = weights[at] ?? 0
    pieces += weight * (sold[at - earlier] ?? 0)
    some += weight * (customers[at - earlier] ?? 0)
    if (weight > most) most = weight
  }
  return { perDay: some > 0 ? pieces / some : 0, pieces: most > 0 ? pieces / most : 0 }
}
