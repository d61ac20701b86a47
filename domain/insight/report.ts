import type { ReportRow, ReportTotal } from '#contract/insight/report.ts'
import {
  figuresOf,
  numberedDimensions,
  optionalFigures,
  type ReportDimension,
  type ReportFigure,
  type ReportSource,
  reportFigures,
} from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type MarginSums, marginOf, marginRateOf } from '../sales/margin.ts'
import { meanOver } from '../time/comparison.ts'

/** Sums that add up over rows and periods; figures follow from them. Absent: not known. */
export interface ReportSums {
  count?: number
  value?: number
  freeCount?: number
  errorCount?: number
  refundCount?: number
  refunded?: number
  /** Of products with known cost and VAT: cost of goods, turnover, the VAT in it, and what clients get of it. */
  cost?: number
  costedValue?: number
  vat?: number
  costedCommission?: number
  /** What clients get of all sales. */
  commission?: number
  /** Transactions that are no sales. */
  otherCount?: number
  otherValue?: number
  lostPerDay?: number
  alarms?: number
  blocking?: number
  occurrences?: number
  open?: number
  cashValue?: number
  accepted?: number
  rejected?: number
  refunds?: number
  given?: number
}
type SumName = keyof ReportSums

/** A row of sums with its place: the merchant, and a key for each grouping. */
export interface SummedRow {
  merchantId: string
  merchantName: string
  currency: Currency
  keys: readonly (string | null)[]
  labels: readonly (string | null)[]
  /** Of a group or client that is deleted or out of the reader's reach: no list can be filtered by it. */
  isGone: boolean
  sums: ReportSums
}

const ratio = (part: number | undefined, whole: number | undefined): number | null =>
  part === undefined || !whole ? null : part / whole
const minus = (one: number | undefined, other: number | undefined): number | null =>
  one === undefined || other === undefined ? null : one - other

/** The parts of the margin; undefined without products whose cost and VAT are known. */
const marginSums = ({ costedValue, vat = 0, costedCommission = 0, cost = 0 }: ReportSums): MarginSums | undefined =>
  costedValue === undefined ? undefined : { turnover: costedValue, vat, commission: costedCommission, cost }

/** A figure of sums; null if it is not known. Money is whole minor units. */
export function figureOf(figure: ReportFigure, sums: ReportSums): number | null {
  const margin = marginSums(sums)
  const value = (() => {
    switch (figure) {
      case 'average':
        return ratio(sums.value, minus(sums.count, sums.errorCount) ?? undefined)
      case 'vends':
        return minus(sums.count, sums.errorCount)
      case 'margin':
        return margin ? marginOf(margin) : null
      case 'marginRate':
        return margin ? marginRateOf(margin) : null
      case 'rejectionRate':
        return ratio(sums.rejected, (sums.accepted ?? 0) + (sums.rejected ?? 0))
      default:
        return sums[figure] ?? null
    }
  })()
  return value !== null && reportFigures[figure] === 'money' ? Math.round(value) : value
}

/** Sums of sums; a sum that one of them lacks is that of the others. */
export function addSums(all: readonly ReportSums[]): ReportSums {
  const total: ReportSums = {}
  for (const sums of all)
    for (const name of Object.keys(sums) as SumName[]) total[name] = (total[name] ?? 0) + (sums[name] ?? 0)
  return total
}

const meanOf = (all: readonly ReportSums[], periods: number): ReportSums => {
  const total = addSums(all)
  return Object.fromEntries(Object.entries(total).map(([name, sum]) => [name, meanOver([sum], periods)]))
}

/** The sums of all rows. Amounts of recharges, collections and refunds are no sum. */
function totalOf(all: readonly ReportSums[]): ReportSums {
  const { otherValue, ...total } = addSums(all)
  const isOfOne = all.filter((sums) => sums.otherValue !== undefined).length === 1
  return isOfOne && otherValue !== undefined ? { ...total, otherValue } : total
}

const keyOf = ({ merchantId, keys }: SummedRow) => JSON.stringify([merchantId, ...keys])

/** Shown with the margin, also where they are zero. */
const partsOfMargin: readonly ReportFigure[] = ['vat', 'cost', 'margin']

/** The figures that say something: the others are null or zero everywhere. */
function shownFigures(source: ReportSource, all: readonly ReportSums[]): ReportFigure[] {
  const figures: readonly ReportFigure[] = figuresOf[source]
  const hasMargin = all.some((sums) => figureOf('margin', sums) !== null)
  return figures.filter(
    (figure) =>
      !optionalFigures.includes(figure) ||
      (hasMargin && partsOfMargin.includes(figure)) ||
      all.some((sums) => figureOf(figure, sums)),
  )
}

interface Given {
  source: ReportSource
  by: readonly ReportDimension[]
  rows: readonly SummedRow[]
  /** The rows of each compared period; undefined without a comparison. */
  before: readonly (readonly SummedRow[])[] | undefined
  /** Of a page of a report: the same of the whole report, without groupings. */
  whole?: Pick<Given, 'rows' | 'before'>
}

/** A place of a report with its sums, and those to compare with. */
interface Joined {
  place: SummedRow
  now: ReportSums
  was: ReportSums | undefined
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

const { compare: inOrder } = new Intl.Collator()

/** Puts places in the order of their first grouping's main figure, currency by currency; hours and price lists in their own order. */
function sort(joined: readonly Joined[], by: readonly ReportDimension[], main: ReportFigure): Joined[] {
  const firstOf = ({ currency, keys }: SummedRow) => `${currency} ${keys[0] ?? ''}`
  const ofFirst = Map.groupBy(joined, ({ place }) => firstOf(place))
  const rankOf = new Map(
    [...ofFirst].map(([first, all]) => [first, figureOf(main, addSums(all.map(({ now }) => now))) ?? 0]),
  )
  const orderOf = (at: number, one: SummedRow, other: SummedRow) =>
    numberedDimensions.includes(by[at] as ReportDimension)
      ? Number(one.keys[at] ?? -1) - Number(other.keys[at] ?? -1)
      : 0
  const nameOf = (row: SummedRow, at: number) => row.labels[at] ?? row.keys[at] ?? ''
  const ranked = joined.map((one) => ({ ...one, rank: rankOf.get(firstOf(one.place)) ?? 0 }))
  return ranked.sort(
    (one, other) =>
      (one.place.currency === other.place.currency ? 0 : inOrder(one.place.currency, other.place.currency)) ||
      orderOf(0, one.place, other.place) ||
      other.rank - one.rank ||
      inOrder(nameOf(one.place, 0), nameOf(other.place, 0)) ||
      orderOf(1, one.place, other.place) ||
      (figureOf(main, other.now) ?? 0) - (figureOf(main, one.now) ?? 0) ||
      inOrder(nameOf(one.place, 1), nameOf(other.place, 1)) ||
      inOrder(one.place.merchantName, other.place.merchantName),
  )
}

/** The places of a report of sales in order, by sums without the figures that do not order them. */
export const placesInOrder = (given: Pick<Given, 'by' | 'rows' | 'before'>): SummedRow[] =>
  sort(join(given, zeros(given.rows)), given.by, 'value').map(({ place }) => place)

/**
 * The rows and totals of a report, or of a page of it, beside those to compare with. Currencies are never added.
 */
export function composeReport({ source, by, rows, before, whole }: Given): {
  figures: ReportFigure[]
  rows: ReportRow[]
  totals: ReportTotal[]
} {
  const nothing = zeros([...rows, ...(whole?.rows ?? [])])
  const joined = join({ rows, before }, nothing)
  const all = whole ? join(whole, nothing) : joined
  const figures = shownFigures(
    source,
    [...joined, ...(whole ? all : [])].flatMap(({ now, was }) => (was ? [now, was] : [now])),
  )
  const [main = 'value'] = figures
  const valuesOf = (sums: ReportSums) => figures.map((figure) => figureOf(figure, sums))
  // What is lost now has no past.
  const valuesBefore = ({ lostPerDay: _, ...sums }: ReportSums) => valuesOf(sums)
  return {
    figures,
    rows: sort(joined, by, main).map(
      ({ place: { merchantId, merchantName, currency, keys, labels, isGone }, now, was }) => ({
        merchantId,
        merchantName,
        currency,
        keys: [...keys],
        labels: [...labels],
        isGone,
        values: valuesOf(now),
        before: was ? valuesBefore(was) : null,
      }),
    ),
    totals: [...Map.groupBy(sort(all, whole ? [] : by, main), ({ place }) => place.currency)].map(
      ([currency, some]) => ({
        currency,
        values: valuesOf(totalOf(some.map(({ now }) => now))),
        before: before ? valuesBefore(totalOf(some.map(({ was }) => was ?? {}))) : null,
      }),
    ),
  }
}

/** How much of the turnover is of products with known cost and VAT, by currency. */
export function costedShares(rows: readonly SummedRow[]): { currency: Currency; value: number; of: number }[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, all]) => {
    const { costedValue, value = 0 } = addSums(all.map(({ sums }) => sums))
    return costedValue === undefined ? [] : [{ currency, value: costedValue, of: value }]
  })
}
