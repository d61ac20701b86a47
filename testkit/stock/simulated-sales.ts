import type { Course } from '#domain/stock/forecast/site-days.ts'
import { addDays } from '#domain/time/period.ts'

/*
 * Machines whose demand is known: invented courses of two years, by a seed. The first year is history; forecasts are compared with the demand of the
 * second.
 */

/** Numbers between 0 and 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How often something happens that happens `mean` times on average (Poisson, by Knuth's product). */
export function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}

interface Moment {
  /** 0: Monday. */
  weekday: number
  /** `MM-DD`. */
  date: string
  /** Days since the first day of the simulation. */
  at: number
  isHoliday: boolean
}

interface Shape {
  /** Average pieces of a usual day, of each selection. */
  rates: readonly number[]
  /** What a day sells of a usual one. `selection`: its place among the rates. */
  share: (day: Moment, selection: number) => number
}

const firstDay = '2023-01-02'
const days = 2 * 364 + 28
/** Holidays with a date of their own that offices in much of Europe have. */
const holidays = new Set(['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26'])

const isWithin = (date: string, from: string, to: string) =>
  from <= to ? date >= from && date <= to : date >= from || date <= to
const isWeekend = ({ weekday }: Moment) => weekday >= 5
const yearly = (at: number, peak: number, strength: number) =>
  1 + strength * Math.cos(((at - peak) / 365.25) * 2 * Math.PI)
const mixed = [9, 6, 4.5, 3, 2.2, 1.5, 1, 0.7, 0.4, 0.2]

/** Kinds of sites. */
export const shapes = {
  office: {
    rates: mixed,
    share: (day) => {
      if (isWeekend(day) || day.isHoliday || isWithin(day.date, '12-24', '01-06')) return 0
      const ofWeekday = [1.1, 1.15, 1.1, 1.05, 0.75][day.weekday] ?? 0
      return isWithin(day.date, '08-07', '08-24') ? ofWeekday * 0.4 : ofWeekday
    },
  },
  school: {
    rates: mixed,
    share: (day) => {
      // The last day of school moves by a few days from year to year.
      const isSummer = day.at < 364 ? isWithin(day.date, '06-12', '09-09') : isWithin(day.date, '06-09', '09-06')
      const isAway = isSummer || isWithin(day.date, '12-22', '01-07') || isWithin(day.date, '03-28', '04-04')
      if (isAway) return isWeekend(day) ? 0 : 0.02
      return day.isHoliday || day.weekday === 6 ? 0 : day.weekday === 5 ? 0.35 : 1.1
    },
  },
  station: {
    rates: mixed.map((rate) => rate * 2),
    share: (day) =>
      yearly(day.at, 195, 0.15) * (day.isHoliday ? 0.7 : ([1, 1, 1, 1.05, 1.3, 0.9, 0.75][day.weekday] ?? 1)),
  },
  // Cold drinks peak in July, hot ones in January.
  seasonal: {
    rates: mixed,
    share: (day, selection) => yearly(day.at, selection % 2 === 0 ? 200 : 15, 0.65) * (isWeekend(day) ? 0.6 : 1.15),
  },
  // Sales at the end of two years are four times those at the beginning, or a quarter.
  growth: { rates: mixed, share: (day) => 4 ** (day.at / days - 0.5) * (isWeekend(day) ? 0.5 : 1.2) },
  decline: { rates: mixed, share: (day) => 4 ** (0.5 - day.at / days) * (isWeekend(day) ? 0.5 : 1.2) },
  // What a machine sells halves or doubles from one day to the next: a tenant moves out, another one in.
  steps: {
    rates: mixed,
    share: (day) => ([1, 1.8, 0.7, 1.5, 0.6][Math.floor(day.at / 160)] ?? 1) * (isWeekend(day) ? 0.3 : 1.25),
  },
  // Nothing but noise.
  level: { rates: mixed, share: () => 1 },
  slow: { rates: [0.6, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.05], share: (day) => (isWeekend(day) ? 0.5 : 1.2) },
} as const satisfies Record<string, Shape>
export type ShapeName = keyof typeof shapes

export interface SimulatedSite {
  firstDay: string
  isHoliday: (day: string) => boolean
  /** Of each selection: the pieces that customers wanted, day by day, and what was sold of it. */
  selections: { wanted: number[]; course: Course }[]
}

/** A site by a seed. A sold-out selection stays so for some days, from time to time. */
export function siteOf(name: ShapeName, seed: number, { soldOut = 0.004 } = {}): SimulatedSite {
  const { rates, share }: Shape = shapes[name]
  const random = randomOf(seed)
  const isHoliday = (day: string) => holidays.has(day.slice(5))
  const size = 0.6 + random() * 1.2
  const selections = rates.map((rate, selection) => {
    const wanted: number[] = []
    const sold: number[] = []
    const offered: number[] = []
    let out = 0
    for (let at = 0; at < days; at++) {
      const day = addDays(firstDay, at)
      const moment = { weekday: at % 7, date: day.slice(5), at, isHoliday: isHoliday(day) }
      // Weather, meetings, a class trip: days differ by more than chance.
      const stir = Math.exp(0.15 * (random() + random() + random() - 1.5))
      const pieces = poisson(rate * size * share(moment, selection) * stir, random)
      if (out === 0 && random() < soldOut) out = 1 + Math.floor(random() * 6)
      const shown = out > 0 ? 0 : 1
      if (out > 0) out--
      wanted.push(pieces)
      sold.push(pieces * shown)
      offered.push(shown)
    }
    return { wanted, course: { sold, shown: offered } satisfies Course }
  })
  return { firstDay, isHoliday, selections }
}
