import { addDays } from '#domain/time/period.ts'
import { forecast, type Rule, weekdayAverage } from './simulated-rounds.ts'
import { type ShapeName, siteOf } from './simulated-sales.ts'

/** Mean absolute errors of a rule, in pieces of one selection. */
export interface Errors {
  /** Of a single day of the coming two weeks. */
  day: number
  /** Of the pieces of the coming week. */
  week: number
  /** Of the pieces of the third and fourth week. */
  fortnightLater: number
}

const horizon = 28

/** Compares the forecast and the average of each weekday over 28 days with the demand of a simulated year, from many of its days on. */
export function compareForecasts(
  name: ShapeName,
  { seeds, step, from = 364 }: { seeds: number; step: number; from?: number },
): { forecast: Errors; average: Errors } {
  const rules: Record<'forecast' | 'average', Rule> = { forecast, average: weekdayAverage }
  const sums = { forecast: { day: 0, week: 0, fortnightLater: 0 }, average: { day: 0, week: 0, fortnightLater: 0 } }
  let selectionsSeen = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const { firstDay, isHoliday, selections } = siteOf(name, seed * 77)
    const last = (selections[0]?.wanted.length ?? 0) - horizon
    for (let at = from + (seed % 7); at <= last; at += step) {
      const courses = selections.map(({ course }) => ({
        sold: course.sold.slice(0, at),
        shown: course.shown.slice(0, at),
      }))
      selectionsSeen += selections.length
      for (const [rule, errors] of [
        [rules.forecast, sums.forecast],
        [rules.average, sums.average],
      ] as const)
        for (const [place, { days, usual }] of rule({
          today: addDays(firstDay, at),
          at,
          isHoliday,
          courses,
        }).entries()) {
          const wanted = selections[place]?.wanted ?? []
          const misses = Array.from(
            { length: horizon },
            (_, ahead) => (days[ahead] ?? usual[(at + ahead) % 7] ?? 0) - (wanted[at + ahead] ?? 0),
          )
          const sum = (start: number, end: number) => misses.slice(start, end).reduce((total, one) => total + one, 0)
          errors.day += misses.slice(0, 14).reduce((total, one) => total + Math.abs(one), 0) / 14
          errors.week += Math.abs(sum(0, 7))
          errors.fortnightLater += Math.abs(sum(14, 28))
        }
    }
  }
  for (const errors of [sums.forecast, sums.average])
    for (const key of ['day', 'week', 'fortnightLater'] as const) errors[key] /= selectionsSeen
  return sums
}
