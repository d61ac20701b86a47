import { daysKept, forecastMachine } from '#domain/stock/forecast/forecast.ts'
import { daysUntilEmpty, type Outlook } from '#domain/stock/supply.ts'
import { addDays } from '#domain/time/period.ts'
import { randomOf, type SimulatedSite } from './simulated-sales.ts'

/** What a rule sees: the pieces sold until yesterday, and when a selection was sold out. */
export interface Seen {
  today: string
  at: number
  isHoliday: (day: string) => boolean
  courses: { sold: number[]; shown: number[] }[]
}
export type Rule = (seen: Seen) => Outlook[]

/** The average of each weekday over the last 28 days: what a forecast must beat. */
export const weekdayAverage: Rule = ({ at, courses }) =>
  courses.map(({ sold }) => {
    const usual = [0, 0, 0, 0, 0, 0, 0]
    const last = sold.slice(-28)
    const weeks = Math.max(1, Math.ceil(last.length / 7))
    for (const [place, pieces] of last.entries()) {
      const weekday = (at - last.length + place) % 7
      usual[weekday] = (usual[weekday] ?? 0) + pieces / weeks
    }
    return { firstDay: null, days: [], usual }
  })

export const forecast: Rule = ({ today, courses, isHoliday }) => {
  const kept = courses.map(({ sold, shown }) => ({ sold: sold.slice(-daysKept), shown: shown.slice(-daysKept) }))
  return forecastMachine({ lastDay: addDays(today, -1), courses: kept, isHoliday }).map((one) => ({
    ...one,
    firstDay: today,
  }))
}

/** A driver may come on Monday, Wednesday and Friday mornings. */
const drivingDays = [0, 2, 4]
/** A machine holds ten average days, and never less than six pieces. */
const daysHeld = 10

export interface Driven {
  visits: number
  wanted: number
  /** Pieces that customers wanted and did not find. */
  missed: number
}

/**
 * A year of rounds to a site. A driving day's morning has a visit if a selection would be empty before the evening of the next driving day; a visit fills
 * everything up. Customers come at random times of the day, and a sold-out selection stays so until the visit.
 */
export function drive(
  { firstDay, isHoliday, selections }: SimulatedSite,
  rule: Rule,
  margin = 1,
  from = 364,
  to = 728,
): Driven {
  const random = randomOf(7)
  const courses = selections.map(({ course }) => ({
    sold: course.sold.slice(0, from),
    shown: course.shown.slice(0, from),
  }))
  const capacities = selections.map(({ wanted }) =>
    Math.max(6, Math.round((daysHeld * wanted.reduce((sum, one) => sum + one, 0)) / wanted.length)),
  )
  const levels = [...capacities]
  const driven = { visits: 0, wanted: 0, missed: 0 }
  for (let at = from; at < to; at++) {
    const today = addDays(firstDay, at)
    if (drivingDays.includes(at % 7)) {
      const outlooks = rule({ today, at, isHoliday, courses })
      const next = (at % 7 === 4 ? 3 : 2) + margin
      const isDue = outlooks.some((outlook, place) => {
        const days = daysUntilEmpty(levels[place] ?? 0, outlook, { day: today, dayLeft: 1 })
        return days !== null && days < next && (levels[place] ?? 0) < (capacities[place] ?? 0)
      })
      if (isDue) {
        driven.visits++
        for (const [place, capacity] of capacities.entries()) levels[place] = capacity
      }
    }
    for (const [place, { wanted }] of selections.entries()) {
      const pieces = wanted[at] ?? 0
      const level = levels[place] ?? 0
      const times = Array.from({ length: pieces }, random).sort((one, other) => one - other)
      const sold = Math.min(pieces, level)
      const emptyAt = level === 0 ? 0 : pieces >= level ? (times[level - 1] ?? 1) : 1
      levels[place] = level - sold
      courses[place]?.sold.push(sold)
      courses[place]?.shown.push(emptyAt)
      driven.wanted += pieces
      driven.missed += pieces - sold
    }
  }
  return driven
}
