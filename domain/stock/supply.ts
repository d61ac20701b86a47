import { stockTypes } from '#contract/vocabulary/stock.ts'

/** Average sales of a selection per weekday, Monday first. */
export type Usual = readonly number[]

/** A moment of a machine's week: the weekday from 0 (Monday), and the share of the day that is left. */
export interface WeekMoment {
  weekday: number
  dayLeft: number
}

const days = 7
const sum = (usual: Usual) => usual.reduce((total, one) => total + one, 0)
/** The sales of an average day. */
export const dailyOf = (usual: Usual): number => sum(usual) / days

/**
 * Days until a level is used up: each coming day sells what its weekday usually does, and today the share that is left of it. 0 when
 * nothing is left; null when nothing is usually sold.
 */
export function daysUntilEmpty(level: number, usual: Usual | null, { weekday, dayLeft }: WeekMoment): number | null {
  if (level <= 0) return 0
  const week = usual ? sum(usual) : 0
  if (!usual || week <= 0) return null
  const weeks = Math.max(0, Math.floor(level / week) - 1)
  let left = level - weeks * week
  for (let day = 0, passed = weeks * days; ; day++) {
    const share = day === 0 ? dayLeft : 1
    const sold = (usual[(weekday + day) % days] ?? 0) * share
    if (left <= sold) return passed + (left / sold) * share
    left -= sold
    passed += share
  }
}

export interface SuppliedSelection {
  level: number
  capacity: number | null
  status: number
  usual: Usual | null
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

/** Minor units that a sold-out selection usually earns on an average day: an estimate. 0 while it has stock. */
export const lostPerDay = ({ level, usual, price }: Pick<SuppliedSelection, 'level' | 'usual' | 'price'>): number =>
  level > 0 || !usual || price === null ? 0 : Math.round(dailyOf(usual) * price)
