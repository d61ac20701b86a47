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
  /** Visits, those with known cost, and that cost. */
  visits?: number
  costedVisits?: number
  visitCost?: number
  loaded?: number
  /** Pieces that visits threw away, those with known cost, and that cost. */
  wastedPieces?: number
  costedPieces?: number
  wasted?: number
  /** Pieces that warehouses and vans lost, less those found; all that were booked, those with known cost, and the costs. */
  lostPieces?: number
  bookedPieces?: number
  costedLosses?: number
  missing?: number
  found?: number
  expired?: number
  discarded?: number
  /** Minutes of selections in service, and of these without pieces. */
  serviceMinutes?: number
  soldOutMinutes?: number
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

/** What visits cost, or threw away: unknown where no part of it is known, and nothing where there was none. */
const knownCost = (cost: number | undefined, known: number | undefined, all: number | undefined): number | null =>
  cost === undefined || (!known && all) ? null : cost

const visitCostOf = ({ visitCost, costedVisits, visits }: ReportSums) => knownCost(visitCost, costedVisits, visits)
const wastedOf = ({ wasted, costedPieces, wastedPieces }: ReportSums) => knownCost(wasted, costedPieces, wastedPieces)

/** A cost of losses; unknown where no lost piece has one. */
const lossPart = (cost: number | undefined, { costedLosses, bookedPieces }: ReportSums) =>
  knownCost(cost, costedLosses, bookedPieces)

const lossOf = (sums: ReportSums) => {
  const { missing, found = 0, expired = 0, discarded = 0 } = sums
  return lossPart(missing === undefined ? undefined : missing - found + expired + discarded, sums)
}

/** The margin without what visits cost and threw away. A place that sold nothing has no margin to know. */
function profitOf(sums: ReportSums): number | null {
  const margin = marginSums(sums)
  const earned = margin ? marginOf(margin) : sums.count ? null : 0
  const visitCost = visitCostOf(sums)
  const wasted = wastedOf(sums)
  return earned === null || visitCost === null || wasted === null ? null : earned - visitCost - wasted
}

/** Whether visits have a known cost or threw something away: then there is a profit. */
export const hasVisitCosts = ({ costedVisits, costedPieces }: ReportSums): boolean =>
  Boolean(costedVisits || costedPieces)

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
      case 'visitCost':
        return visitCostOf(sums)
      case 'wasted':
        return wastedOf(sums)
      case 'profit':
        return profitOf(sums)
      case 'netPerVisit':
        return margin ? ratio(margin.turnover - margin.vat, sums.visits) : null
      case 'loss':
        return lossOf(sums)
      case 'missing':
      case 'found':
      case 'expired':
      case 'discarded':
        return lossPart(sums[figure], sums)
      case 'serviceHours':
        return ratio(sums.serviceMinutes, 60)
      case 'soldOutHours':
        return ratio(sums.soldOutMinutes, 60)
      case 'serviceLevel':
        return ratio(minus(sums.serviceMinutes, sums.soldOutMinutes) ?? undefined, sums.serviceMinutes)
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
