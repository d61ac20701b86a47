import { fullFromPercent } from '../cash/cash-box.ts'

/** Days of a plan, and days it looks ahead: the next service day after the last planned one is at most a week later. */
export const planDays = 7
export const lookAhead = 2 * planDays

/** A selection on the morning of the first day. */
export interface NeedSelection {
  level: number
  /** Pieces that each day is expected to sell. */
  sold: ArrayLike<number>
  /** Filled up to it; null: unknown, nothing is loaded. */
  target: number | null
  /** Minor units; null: unknown. */
  price: number | null
  /** The total of hot drinks holds no pieces beside those of its selections. */
  holdsPieces: boolean
  /** Whether its lost sales add up with those of the others. */
  losesSales: boolean
}

/** What decides when a machine needs a visit. */
export interface NeedFacts {
  selections: readonly NeedSelection[]
  /** Sold-out selections without a forecast: what they lose on a day, in minor units. Null: none. */
  unforeseen: { lostPerDay: number } | null
  /** Minor units in the cash box on the morning of the first day, and what is added on a day. Null: unknown. */
  cash: { inBox: number; capacity: number; perDay: number } | null
}

/** The coming days of a machine, given its visits. Visits are in the morning. */
export interface MachineCourse {
  /** Whether a selection is or becomes empty on a day on which it is expected to sell. */
  isEmpty: boolean[]
  isCashFull: boolean[]
  /** Minor units of sales that are lost. */
  lost: number[]
  /** Pieces that fill it up in the morning. */
  pieces: number[]
}

/** What expected sales may lack to a whole piece. */
const chipped = 1e-9

/** How the coming days pass. `visits`: by day, the share of the missing pieces that is loaded; 1: all. */
export function courseOf(
  { selections, unforeseen, cash }: NeedFacts,
  visits: ReadonlyMap<number, number>,
): MachineCourse {
  const days = Array.from({ length: lookAhead }, (_, day) => day)
  const course: MachineCourse = {
    isEmpty: days.map(() => false),
    isCashFull: days.map(() => false),
    lost: days.map(() => 0),
    pieces: days.map(() => 0),
  }
  for (const selection of selections) addSelection(course, selection, visits)
  if (unforeseen) {
    const first = Math.min(lookAhead, ...visits.keys())
    course.isEmpty.fill(true, 0, first)
    for (let day = 0; day < first; day++) course.lost[day] = (course.lost[day] ?? 0) + unforeseen.lostPerDay
  }
  if (cash && cash.capacity > 0) {
    let inBox = cash.inBox
    for (const day of days) {
      if (visits.has(day)) inBox = 0
      inBox += cash.perDay
      course.isCashFull[day] = inBox * 100 >= cash.capacity * fullFromPercent
    }
  }
  return course
}

function addSelection(course: MachineCourse, selection: NeedSelection, visits: ReadonlyMap<number, number>): void {
  const { sold, target, price, holdsPieces, losesSales } = selection
  let level = Math.max(0, selection.level)
  for (let day = 0; day < lookAhead; day++) {
    if (target !== null && holdsPieces) {
      // The half of a piece is sold, as in what a round loads.
      const missing = Math.max(0, target + Math.round(-level))
      course.pieces[day] = (course.pieces[day] ?? 0) + missing
    }
    const share = visits.get(day)
    if (share !== undefined && target !== null) level += Math.max(0, target - level) * share
    const expected = sold[day] ?? 0
    if (losesSales && expected > 0 && level <= expected + chipped) {
      course.isEmpty[day] = true
      course.lost[day] = (course.lost[day] ?? 0) + Math.max(0, expected - level) * (price ?? 0)
    }
    level = Math.max(0, level - expected)
  }
}

/** Whether a machine needs something on a day. */
export const isNeededOn = ({ isEmpty, isCashFull }: MachineCourse, day: number): boolean =>
  isEmpty[day] === true || isCashFull[day] === true

/** The first day from one on, before another, on which a machine needs something; undefined: none. */
export function firstNeed(course: MachineCourse, from: number, before: number): number | undefined {
  for (let day = from; day < before; day++) if (isNeededOn(course, day)) return day
  return undefined
}

/** Minor units of sales that are lost from one day on, before another. */
export function lostBetween({ lost }: MachineCourse, from: number, before: number): number {
  let sum = 0
  for (let day = from; day < before; day++) sum += lost[day] ?? 0
  return sum
}
