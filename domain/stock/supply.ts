import { stockTypes } from '#contract/vocabulary/stock.ts'
import { daysIn, isoWeekdayOf } from '../time/period.ts'

/** Sales of a selection per weekday, Monday first. */
export type Usual = readonly number[]

/** What a selection is expected to sell: on the coming days, and in each week after them. */
export interface Outlook {
  /** The day of the first figure of `days`; null: only the week is known. */
  firstDay: string | null
  days: readonly number[]
  usual: Usual
}

/** A moment of a machine's calendar: the day in its zone, and the share of the day that is left. */
export interface DayMoment {
  day: string
  dayLeft: number
}

const week = 7
/** What sums of parts of days may lack. */
const chipped = 1e-9
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
/** The sales of an average day of an ordinary week. */
export const dailyOf = (usual: Usual): number => sum(usual) / week

/** Pieces of a day, by its distance from today; `known`: so many days from today on have a figure of their own. */
function piecesFrom({ firstDay, days, usual }: Outlook, { day }: DayMoment) {
  const weekday = isoWeekdayOf(day)
  const past =
    firstDay === null ? days.length : firstDay === day ? 0 : daysIn({ startDate: firstDay, endDate: day }) - 1
  const ofWeek = (ahead: number) => usual[(weekday + ahead) % week] ?? 0
  return {
    known: Math.max(0, days.length - past),
    piecesOn: (ahead: number) => (past + ahead < 0 ? undefined : days[past + ahead]) ?? ofWeek(ahead),
  }
}

/**
 * Days until a level is used up: each coming day sells what is expected of it, and today the share that is left of it. 0 when nothing is left; null when nothing
 * is expected to be sold.
 */
export function daysUntilEmpty(level: number, outlook: Outlook | null, moment: DayMoment): number | null {
  if (level <= 0) return 0
  if (!outlook) return null
  const { known, piecesOn } = piecesFrom(outlook, moment)
  const perWeek = sum(outlook.usual)
  let left = level
  let passed = 0
  for (let ahead = 0; ; ahead++) {
    if (ahead >= Math.max(1, known)) {
      if (perWeek <= 0) return null
      const weeks = Math.max(0, Math.floor(left / perWeek) - 1)
      ahead += weeks * week
      passed += weeks * week
      left -= weeks * perWeek
    }
    const share = ahead === 0 ? moment.dayLeft : 1
    const sold = piecesOn(ahead) * share
    if (sold > 0 && left <= sold + chipped) return passed + Math.min(1, left / sold) * share
    left -= sold
    passed += share
  }
}

/** Pieces that are expected to be sold from now until the morning of a day: what is left of today, and the days between. `daysAhead`: from today to that day. */
export function soldUntil(outlook: Outlook | null, moment: DayMoment, daysAhead: number): number {
  if (!outlook || daysAhead <= 0) return 0
  const { piecesOn } = piecesFrom(outlook, moment)
  let sold = piecesOn(0) * moment.dayLeft
  for (let ahead = 1; ahead < daysAhead; ahead++) sold += piecesOn(ahead)
  return sold
}

/** Pieces that each of the coming days is expected to sell: of today, what is left of it. */
export function salesOfDays(outlook: Outlook, moment: DayMoment, count: number): Float32Array {
  const { piecesOn } = piecesFrom(outlook, moment)
  const sales = new Float32Array(count)
  for (let ahead = 0; ahead < count; ahead++) sales[ahead] = piecesOn(ahead) * (ahead === 0 ? moment.dayLeft : 1)
  return sales
}

export interface SuppliedSelection {
  level: number
  capacity: number | null
  status: number
  outlook: Outlook | null
  /** Minor units; null: unknown. */
  price: number | null
}

/**
 * The rows of a machine that hold pieces. The total of its hot drinks is the sum of their own rows, or has none: it can be out or low, but holds
 * nothing beside them.
 */
export const holdingPieces = <Row extends { stockType: number | null }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ stockType }) => stockType !== stockTypes.hotTotal)

/** The rows whose lost sales add up: without the total of hot drinks where these have rows of their own. */
export const losingSales = <Row extends { stockType: number | null }>(rows: readonly Row[]): Row[] =>
  rows.some(({ stockType }) => stockType === null) ? holdingPieces(rows) : [...rows]

/** Minor units that a sold-out selection would earn on an average day of the coming week: an estimate. 0 while it has stock. */
export function lostPerDay(
  { level, outlook, price }: Pick<SuppliedSelection, 'level' | 'outlook' | 'price'>,
  { day }: Pick<DayMoment, 'day'>,
): number {
  if (level > 0 || !outlook || price === null) return 0
  return Math.round((soldUntil(outlook, { day, dayLeft: 1 }, week) / week) * price)
}
