import { openDays } from './closure.ts'
import { measureOf, noRatio, type Ratio, rateOf, shrunk, sumOf, weekOf, weighedRate } from './rate.ts'
import { seasonOf } from './season.ts'
import { type Course, type SiteDays, siteDaysOf } from './site-days.ts'

export interface SelectionCourse extends Course {
  /** Its pieces are those of other selections: the total of hot drinks. */
  isTotal?: boolean
}

export interface MachineCourses {
  /** The last day of the courses, in the machine's zone. */
  lastDay: string
  courses: readonly SelectionCourse[]
  isHoliday: (day: string) => boolean
}

/** Pieces that a selection is expected to sell. */
export interface Forecast {
  /** On the coming days, from the day after the courses on. */
  days: number[]
  /** In an ordinary week, Monday first. */
  usual: number[]
}

/** So many coming days have a figure of their own. */
export const daysAhead = 28
/** A year of whole weeks. */
const year = 364
/** Courses reach back so many days: a year, and the weeks before it with which its course is compared. */
export const daysKept = year + 8 * 7

/** The machine's week counts as much as so many pieces of a selection's own; a flat week as five of the machine's. */
const weekPieces = 40
const flatWeekPieces = 5
/** How far ratios of two rates usually vary: of a site within weeks of its year, of a selection beside its site, of a site since a selection's rate. */
const siteSeason = 0.002
const ownSeason = 0.012
const siteChange = 0.02
/** A piece in three months is no sale to expect. */
const leastPerDay = 0.01

const flatWeek: readonly number[] = Array(7).fill(1)
const rounded = (pieces: number) => (pieces < leastPerDay ? 0 : Math.round(pieces * 1000) / 1000)

/**
 * What the selections of a machine will sell. The machine as a whole says which days its site is open, what its weekdays and holidays sell, and how it changes: a
 * single selection sells too little for that. Each selection has its own rate, and its own week and season as far as they are no chance.
 */
export function forecastMachine({ lastDay, courses, isHoliday }: MachineCourses): Forecast[] {
  const site = siteOf(courses)
  const days = siteDaysOf(site, lastDay, isHoliday)
  const week = weekOf(site, days, flatWeek, flatWeekPieces)
  const measure = measureOf(site, days, week)
  const now = rateOf(measure)
  const holiday = holidayOf(site, days, week)
  const open = openDays(days.closures, days.count, daysAhead, year)
  return courses.map((course) => {
    if (sumOf(course.sold) === 0) return { days: Array(daysAhead).fill(0), usual: Array(7).fill(0) }
    const ownWeek = weekOf(course, days, week, weekPieces)
    const own = measureOf(course, days, ownWeek)
    const { perDay, weights } = rateOf(own)
    const before = weighedRate(measure, weights)
    const change: Ratio =
      before.perDay > 0 && now.perDay > 0
        ? { log: Math.log(now.perDay / before.perDay), variance: largest(now.weights) / now.perDay + 1 / before.pieces }
        : noRatio
    const rate = perDay * Math.exp(shrunk(change, siteChange))
    const common = seasonOf(measure, weights, daysAhead, year)
    const beside = seasonOf(own, weights, daysAhead, year)
    return {
      usual: ownWeek.map((share) => rounded(rate * share)),
      days: open.map((isOpen, ahead) => {
        if (!isOpen) return 0
        const at = days.count + ahead
        const ofSite = common[ahead] ?? noRatio
        const { log, variance } = beside[ahead] ?? noRatio
        const season = shrunk(ofSite, siteSeason) + shrunk({ log: log - ofSite.log, variance }, ownSeason)
        const share = days.isHoliday(at) ? holiday : (ownWeek[days.weekdayOf(at)] ?? 1)
        return rounded(rate * share * Math.exp(season))
      }),
    }
  })
}

const largest = (numbers: Float64Array) => numbers.reduce((most, one) => Math.max(most, one), 0)

/** The sales of all selections. What was sold out counts by what it sells. */
function siteOf(courses: readonly SelectionCourse[]): Course {
  const lines = courses.filter(({ isTotal }) => !isTotal)
  const some = lines.length > 0 ? lines : courses
  const pieces = some.map(({ sold }) => sumOf(sold))
  const all = Math.max(1, sumOf(pieces))
  const days = (some[0]?.sold ?? []).map((_, at) => at)
  return {
    sold: days.map((at) => sumOf(some.map(({ sold }) => sold[at] ?? 0))),
    shown: days.map((at) => sumOf(some.map(({ shown }, place) => ((shown[at] ?? 0) * (pieces[place] ?? 0)) / all))),
  }
}

/** Weeks around a holiday with fewer customers are no measure of it. */
const leastCustomers = 5
const daysAround = 14

/** A holiday's share of an average day: by the machine's own holidays, and before the first of them as a Sunday's. */
function holidayOf(site: Course, days: SiteDays, week: readonly number[]): number {
  const { sold, customers } = measureOf(site, days, week)
  let share = week[6] ?? 1
  let holidays = 1
  const isClosed = (at: number) => days.closures.some(({ first, last }) => at >= first && at <= last)
  for (let at = 0; at < days.count; at++) {
    if (!days.isHoliday(at) || isClosed(at)) continue
    const around = sumOf([...sold.subarray(Math.max(0, at - daysAround), at + daysAround + 1)])
    const some = sumOf([...customers.subarray(Math.max(0, at - daysAround), at + daysAround + 1)])
    if (around === 0 || some < leastCustomers) continue
    share += ((site.sold[at] ?? 0) * some) / around
    holidays++
  }
  return share / holidays
}
