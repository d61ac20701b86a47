import {
  numberedDimensions,
  type ReportDimension,
  type ReportFigure,
  type ReportOrd,
} from '#contract/vocabulary/insight/report.ts'
import { addSums, figureOf, type Joined, type ReportSums, type SummedRow } from './report-figures.ts'

/** The column that orders the rows of a report. */
export interface ChosenOrder {
  ord: ReportOrd
  isRising: boolean
  /** In a pivot, the key of the column that orders its rows; '' is that without a key. */
  key?: string | undefined
}

/** The name of a row's key in the reader's language. */
export type NameOf = (row: SummedRow, at: number) => string

export interface Sorting {
  by: readonly ReportDimension[]
  /** Orders the groups of the first grouping where no column is chosen. */
  main: ReportFigure
  order?: ChosenOrder | undefined
  nameOf?: NameOf | undefined
}

const { compare: inOrder } = new Intl.Collator()

const storedName: NameOf = ({ labels, keys }, at) => labels[at] ?? keys[at] ?? ''

/** How far a figure is from the compared one, in either direction; null without one of them. */
export function distanceOf(figure: ReportFigure, now: ReportSums, was: ReportSums | undefined): number | null {
  const value = figureOf(figure, now)
  const before = was ? figureOf(figure, was) : null
  return value === null || before === null ? null : Math.abs(value - before)
}

const inCurrencies = ({ place: one }: Joined, { place: other }: Joined) => inOrder(one.currency, other.currency)

/** Keys of numbered groupings by their number; others are equal. */
const byNumber = (dimension: ReportDimension | undefined, one: string | null | undefined, other: typeof one) =>
  dimension && numberedDimensions.includes(dimension) ? Number(one ?? -1) - Number(other ?? -1) : 0

/**
 * Groups in the order of their main figure, currency by currency; hours and price lists in their own order. Where rows are compared, the
 * groups and rows with the largest differences are first.
 */
function inGroups(joined: readonly Joined[], { by, main, nameOf = storedName }: Sorting): Joined[] {
  const rankOf = (now: ReportSums, was: ReportSums | undefined) =>
    (was ? distanceOf(main, now, was) : figureOf(main, now)) ?? 0
  const firstOf = ({ currency, keys }: SummedRow) => `${currency} ${keys[0] ?? ''}`
  const groupRanks = new Map(
    [...Map.groupBy(joined, ({ place }) => firstOf(place))].map(([first, all]) => [
      first,
      rankOf(
        addSums(all.map(({ now }) => now)),
        all.some(({ was }) => was) ? addSums(all.map(({ was }) => was ?? {})) : undefined,
      ),
    ]),
  )
  const ranked = joined.map((one) => ({
    ...one,
    groupRank: groupRanks.get(firstOf(one.place)) ?? 0,
    rank: rankOf(one.now, one.was),
  }))
  const named = (one: Joined, other: Joined, at: number) => inOrder(nameOf(one.place, at), nameOf(other.place, at))
  return ranked
    .sort(
      (one, other) =>
        inCurrencies(one, other) ||
        byNumber(by[0], one.place.keys[0], other.place.keys[0]) ||
        other.groupRank - one.groupRank ||
        named(one, other, 0) ||
        byNumber(by[1], one.place.keys[1], other.place.keys[1]) ||
        other.rank - one.rank ||
        named(one, other, 1) ||
        inOrder(one.place.merchantName, other.place.merchantName),
    )
    .map(({ place, now, was }) => ({ place, now, was }))
}

/** Numbers in their order; unknown ones are last in both directions. */
export function compareNumbers(one: number | null, other: number | null, isRising: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return isRising ? one - other : other - one
}

function compareInColumn({ by, main, order, nameOf = storedName }: Sorting & { order: ChosenOrder }) {
  const { ord, isRising } = order
  const directed = (difference: number) => (isRising ? difference : -difference)
  return (one: Joined, other: Joined): number => {
    switch (ord) {
      case 'first':
      case 'second': {
        const at = ord === 'first' ? 0 : 1
        return directed(
          byNumber(by[at], one.place.keys[at], other.place.keys[at]) ||
            inOrder(nameOf(one.place, at), nameOf(other.place, at)),
        )
      }
      case 'merchant':
        return directed(inOrder(one.place.merchantName, other.place.merchantName))
      case 'change':
        return compareNumbers(distanceOf(main, one.now, one.was), distanceOf(main, other.now, other.was), isRising)
      default:
        return compareNumbers(figureOf(ord, one.now), figureOf(ord, other.now), isRising)
    }
  }
}

/** Puts places in the order of the chosen column, or else of their groups. Currencies are never compared; equal rows keep the order of their groups. */
export function sortPlaces(joined: readonly Joined[], sorting: Sorting): Joined[] {
  const grouped = inGroups(joined, sorting)
  const { order } = sorting
  if (!order) return grouped
  const compare = compareInColumn({ ...sorting, order })
  return grouped.sort((one, other) => inCurrencies(one, other) || compare(one, other))
}
