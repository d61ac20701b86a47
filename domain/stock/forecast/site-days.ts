import { addDays, isoWeekdayOf } from '../../time/period.ts'
import { type Closure, closuresOf } from './closure.ts'

/** The sales of a selection day by day. All courses of a machine end on the same day and have the same length. */
export interface Course {
  sold: readonly number[]
  /** The share of the day's customers who found pieces in it, from 0 (sold out all day) to 1. */
  shown: readonly number[]
}

/** What the days of a site have in common. A day is a number, from 0 for the first day of the courses on, also for coming days. */
export interface SiteDays {
  count: number
  /** 0: Monday. */
  weekdayOf: (at: number) => number
  isHoliday: (at: number) => boolean
  /** Usual days: since the first sale, open, no holiday. */
  isUsual: readonly boolean[]
  closures: readonly Closure[]
}

/** Of a day with fewer customers who could buy, the rest is no measure. */
const leastShown = 0.5

export function siteDaysOf(site: Course, lastDay: string, isHolidayOn: (day: string) => boolean): SiteDays {
  const count = site.sold.length
  const weekday = isoWeekdayOf(lastDay)
  const weekdayOf = (at: number) => (((weekday + at - (count - 1)) % 7) + 7) % 7
  const holidays = new Map<number, boolean>()
  const isHoliday = (at: number) => {
    let answer = holidays.get(at)
    if (answer === undefined) {
      answer = isHolidayOn(addDays(lastDay, at - (count - 1)))
      holidays.set(at, answer)
    }
    return answer
  }
  const begin = site.sold.findIndex((pieces) => pieces > 0)
  const measured = site.sold.map((pieces, at) => {
    const shown = site.shown[at] ?? 0
    return at < begin || shown < leastShown ? null : pieces / shown
  })
  const closures = closuresOf(measured, weekdayOf)
  const isUsual = site.sold.map((_, at) => begin >= 0 && at >= begin && !isHoliday(at))
  for (const { first, last } of closures) isUsual.fill(false, first, last + 1)
  return { count, weekdayOf, isHoliday, isUsual, closures }
}
