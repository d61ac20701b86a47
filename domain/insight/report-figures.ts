import { type ReportFigure, reportFigures } from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type MarginSums, marginOf, marginRateOf } from '../sales/margin.ts'

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
  collections?: number
  uncounted?: number
  counted?: number
  expected?: number
  over?: number
  short?: number
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
      case 'difference':
        return minus(sums.over, sums.short)
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

/** The sums of all rows. Amounts of recharges, collections and refunds are no sum. */
export function totalOf(all: readonly ReportSums[]): ReportSums {
  const { otherValue, ...total } = addSums(all)
  const isOfOne = all.filter((sums) => sums.otherValue !== undefined).length === 1
  return isOfOne && otherValue !== undefined ? { ...total, otherValue } : total
}

/** A place of a report with its sums, and those to compare with. */
export interface Joined {
  place: SummedRow
  now: ReportSums
  was: ReportSums | undefined
}
