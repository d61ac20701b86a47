import type { Report, ReportRow, ReportTotal } from '#contract/insight/report.ts'
import {
  figuresOf,
  optionalFigures,
  type ReportDimension,
  type ReportFigure,
  type ReportSource,
} from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { meanOver } from '../time/comparison.ts'
import {
  addSums,
  figureOf,
  hasVisitCosts,
  type Joined,
  type ReportSums,
  type SummedRow,
  totalOf,
} from './report-figures.ts'
import { type ChosenOrder, type NameOf, sortPlaces } from './report-order.ts'
import { pivotOf } from './report-pivot.ts'

const meanOf = (all: readonly ReportSums[], periods: number): ReportSums => {
  const total = addSums(all)
  return Object.fromEntries(Object.entries(total).map(([name, sum]) => [name, meanOver([sum], periods)]))
}

const keyOf = ({ merchantId, keys }: SummedRow) => JSON.stringify([merchantId, ...keys])

/** Shown with the margin, also where they are zero. */
const partsOfMargin: readonly ReportFigure[] = ['vat', 'cost', 'margin']
/** Shown with the profit, also where they are zero. Without costs of visits there is none. */
const partsOfProfit: readonly ReportFigure[] = ['wasted', 'visitCost', 'profit']
/** Shown with the loss, also where they are zero. */
const partsOfLoss: readonly ReportFigure[] = ['missing', 'found', 'expired', 'discarded', 'loss']

/** The figures that say something: the others are null or zero everywhere. */
function offeredFigures(source: ReportSource, all: readonly ReportSums[]): ReportFigure[] {
  const figures: readonly ReportFigure[] = figuresOf[source]
  const hasMargin = all.some((sums) => figureOf('margin', sums) !== null)
  const hasProfit = all.some((sums) => hasVisitCosts(sums)) && all.some((sums) => figureOf('profit', sums) !== null)
  const hasLoss = all.some((sums) => figureOf('loss', sums) !== null)
  return figures.filter((figure) => {
    if (!optionalFigures.includes(figure)) return true
    if (hasMargin && partsOfMargin.includes(figure)) return true
    if (hasLoss && partsOfLoss.includes(figure)) return true
    if (hasProfit && partsOfProfit.includes(figure)) return true
    return figure !== 'profit' && all.some((sums) => figureOf(figure, sums))
  })
}

interface Given {
  source: ReportSource
  by: readonly ReportDimension[]
  rows: readonly SummedRow[]
  /** The rows of each compared period; undefined without a comparison. */
  before: readonly (readonly SummedRow[])[] | undefined
  /** The chosen figures in their order; without any, all that say something. */
  figures?: readonly ReportFigure[] | undefined
  order?: ChosenOrder | undefined
  /** The name of a row's key in the reader's language, for an order by name. */
  nameOf?: NameOf | undefined
  /** The figure of the pivot. */
  pivot?: ReportFigure | undefined
  /** Of a page of a report: the same of the whole report, without groupings. */
  whole?: Pick<Given, 'rows' | 'before'>
}

/** A row that only a compared period has is a place as well. */
function join({ rows, before }: Pick<Given, 'rows' | 'before'>, nothing: ReportSums): Joined[] {
  const periods = before?.length ?? 0
  const earlier = Map.groupBy(before?.flat() ?? [], keyOf)
  const places = new Map([...(before?.flat() ?? []), ...rows].map((row) => [keyOf(row), row]))
  const current = new Map(rows.map((row) => [keyOf(row), row.sums]))
  return [...places].map(([key, place]) => ({
    place,
    now: current.get(key) ?? nothing,
    was: before && meanOf(earlier.get(key)?.map(({ sums }) => sums) ?? [nothing], periods),
  }))
}

const zeros = (rows: readonly SummedRow[]) =>
  addSums(rows.map(({ sums }) => Object.fromEntries(Object.keys(sums).map((name) => [name, 0]))))

/** The places of a report of sales in order, by sums without the figures that do not order them. */
export const placesInOrder = (given: Pick<Given, 'by' | 'rows' | 'before' | 'order' | 'nameOf'>): SummedRow[] =>
  sortPlaces(join(given, zeros(given.rows)), { ...given, main: 'value' }).map(({ place }) => place)

/**
 * The rows and totals of a report, or of a page of it, beside those to compare with. Currencies are never added.
 */
export function composeReport({ source, by, rows, before, whole, figures: chosen, pivot, ...sorting }: Given): {
  figures: ReportFigure[]
  offered: ReportFigure[]
  rows: ReportRow[]
  totals: ReportTotal[]
} & Pick<Report, 'pivot'> {
  const nothing = zeros([...rows, ...(whole?.rows ?? [])])
  const joined = join({ rows, before }, nothing)
  const all = whole ? join(whole, nothing) : joined
  const offered = offeredFigures(
    source,
    [...joined, ...(whole ? all : [])].flatMap(({ now, was }) => (was ? [now, was] : [now])),
  )
  const ofSource: readonly ReportFigure[] = figuresOf[source]
  const some = (chosen ?? []).filter((figure) => ofSource.includes(figure))
  const figures = some.length > 0 ? [...new Set(some)] : offered
  const order = { by, main: ofSource[0] ?? 'value', ...sorting }
  const valuesOf = (sums: ReportSums) => figures.map((figure) => figureOf(figure, sums))
  // What is lost now has no past.
  const valuesBefore = ({ lostPerDay: _, ...sums }: ReportSums) => valuesOf(sums)
  const inOrder = sortPlaces(joined, order)
  return {
    figures,
    offered,
    rows: inOrder.map(({ place: { merchantId, merchantName, currency, keys, labels, isGone }, now, was }) => ({
      merchantId,
      merchantName,
      currency,
      keys: [...keys],
      labels: [...labels],
      isGone,
      values: valuesOf(now),
      before: was ? valuesBefore(was) : null,
    })),
    totals: [
      ...Map.groupBy(sortPlaces(all, { by: whole ? [] : by, main: order.main }), ({ place }) => place.currency),
    ].map(([currency, places]) => ({
      currency,
      values: valuesOf(totalOf(places.map(({ now }) => now))),
      before: before ? valuesBefore(totalOf(places.map(({ was }) => was ?? {}))) : null,
    })),
    pivot: pivot && by.length === 2 ? pivotOf(inOrder, { ...order, figure: pivot }) : null,
  }
}

/** How much of the turnover is of products with known cost and VAT, by currency. */
export function costedShares(rows: readonly SummedRow[]): { currency: Currency; value: number; of: number }[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, all]) => {
    const { costedValue, value = 0 } = addSums(all.map(({ sums }) => sums))
    return costedValue === undefined ? [] : [{ currency, value: costedValue, of: value }]
  })
}

/** How much of what visits cost and threw away is known, or of what was lost, by currency; none where that is nothing. */
export function knownParts(rows: readonly SummedRow[]): Report['known'] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, all]): Report['known'] => {
    const sums = addSums(all.map((row) => row.sums))
    const {
      visits = 0,
      costedVisits = 0,
      wastedPieces = 0,
      costedPieces = 0,
      bookedPieces = 0,
      costedLosses = 0,
    } = sums
    if (costedLosses > 0) return [{ currency, of: 'lostPieces', part: costedLosses, whole: bookedPieces }]
    if (!hasVisitCosts(sums)) return []
    return [
      { currency, of: 'visits', part: costedVisits, whole: visits },
      { currency, of: 'wastedPieces', part: costedPieces, whole: wastedPieces },
    ]
  })
}
