import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import {
  groupingOf,
  mostHourDays,
  mostReportDays,
  mostReportRows,
  type Report,
  type ReportQuery,
} from '#contract/insight/report.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { productDimensions, type ReportDimension, sourceOf } from '#contract/vocabulary/insight/report.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { alarmsByGrouping, cashByGrouping, refundsByGrouping } from '#database/insight/report-events.ts'
import { needsMachine, needsProduct, type ReportOrder } from '#database/insight/report-grouping.ts'
import { hasCommissions, hasCosts, lostByGrouping, salesByGrouping } from '#database/insight/report-sales.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'
import { firstDayOf } from '#database/sales/first-day.ts'
import { composeReport, costedShares, type SummedRow } from '#domain/insight/report.ts'
import { comparedPeriods, periodsWithData } from '#domain/time/comparison.ts'
import { dayIn, daysIn } from '#domain/time/period.ts'
import { refuseReversed } from '#server/http/refuse.ts'

const places: readonly ReportDimension[] = ['machine', 'client', 'group']
const needsFineHours = (by: readonly ReportDimension[]) =>
  by.includes('hour') && (needsMachine(by) || needsProduct(by) || by.includes('priceTable'))

/** Refuses a period that ends before it starts, or takes too long to add up. */
function refuseDays(query: ReportQuery, by: readonly ReportDimension[]): void {
  refuseReversed(query)
  const days = daysIn(query)
  if (days > mostReportDays || (needsFineHours(by) && days > mostHourDays)) throw new ProductError('PeriodTooLong')
}

/** The merchants of the scope that have what the report is about. */
async function ableTo(db: TenantDb, { type }: ReportQuery, by: readonly ReportDimension[]): Promise<TenantDb> {
  const needed: Feature | undefined =
    sourceOf(type) === 'refunds'
      ? 'customerMedia'
      : by.some((one) => productDimensions.includes(one))
        ? 'vending'
        : undefined
  if (!needed) return db
  const able = (await merchantsWith(db, [needed])).get(needed)
  const scope = db.scope.filter(({ merchantId }) => able?.has(merchantId))
  if (scope.length === 0) throw new ProductError('FeatureNotEnabled')
  return withinScope(db, scope)
}

type Read = (order: ReportOrder) => Promise<SummedRow[]>

/** How the rows of a period are read. Costs are for readers who see products. */
async function readerOf(
  db: TenantDb,
  { type, startDate }: ReportQuery,
  by: readonly ReportDimension[],
  role: Role,
): Promise<Read> {
  const limit = mostReportRows + 1
  switch (sourceOf(type)) {
    case 'alarms':
      return (order) => alarmsByGrouping(db, order, limit)
    case 'cash':
      return (order) => cashByGrouping(db, order, limit)
    case 'refunds':
      return (order) => refundsByGrouping(db, order, limit)
    case 'sales': {
      const isCoarse = by.includes('hour') && !needsFineHours(by)
      const withCost = !isCoarse && roleMay(role, 'product.read') && (await hasCosts(db, startDate))
      const withCommission = !isCoarse && (await hasCommissions(db, startDate))
      const options = { withCost, withCommission, isTurnover: type !== 'transactions' }
      return (order) => salesByGrouping(db, { ...order, ...options }, limit)
    }
  }
}

const keyOf = ({ merchantId, keys }: SummedRow) => JSON.stringify([merchantId, ...keys])

/** Rows with what their machines lose per day now. */
async function withLosses(db: TenantDb, order: ReportOrder, rows: readonly SummedRow[]): Promise<SummedRow[]> {
  const lost = new Map((await lostByGrouping(db, order, mostReportRows + 1)).map((row) => [keyOf(row), row.sums]))
  return rows.map((row) => ({ ...row, sums: { ...row.sums, ...lost.get(keyOf(row)) } }))
}

/**
 * The report that a query asks for. Figures come from sums and equal the statistics and lists of the same filters. Throws ReportWithoutData
 * where the period has none, PeriodTooLong and ReportTooLarge above the limits.
 */
export async function reportOf(
  wide: TenantDb,
  query: ReportQuery,
  { role, now }: { role: Role; now: Date },
): Promise<Report> {
  const by = groupingOf(query)
  refuseDays(query, by)
  const db = await ableTo(wide, query, by)
  const { type, parameter, startDate, endDate, groupIds, clientIds, posIds, terms } = query
  const order = { by, parameter, groupIds, clientIds, posIds, startDate, endDate, terms }
  const read = await readerOf(db, query, by, role)
  const summed = await read(order)
  if (summed.length === 0) throw new ProductError('ReportWithoutData')
  const isOfPlaces = sourceOf(type) === 'sales' && by.every((one) => places.includes(one))
  const rows = isOfPlaces ? await withLosses(db, order, summed) : summed
  const compared = query.compare
    ? periodsWithData(comparedPeriods(query.compare, query, query.preset), await firstDayOf(db, query))
    : []
  const before: SummedRow[][] = []
  for (const days of compared) before.push(await read({ ...order, ...days }))
  const composed = composeReport({ source: sourceOf(type), by, rows, before: compared.length > 0 ? before : undefined })
  if ([summed, ...before, composed.rows].some(({ length }) => length > mostReportRows))
    throw new ProductError('ReportTooLarge')
  const zones = await db.from('merchants').select('merchants.time_zone').distinct().execute()
  const isRunning = zones.some(({ time_zone }) => {
    const today = dayIn(now, time_zone)
    return startDate <= today && today <= endDate
  })
  return {
    type,
    by: [...by],
    parameter: by.includes('parameter') ? (parameter ?? null) : null,
    startDate,
    endDate,
    isRunning,
    terms,
    compare: query.compare ?? null,
    compared,
    ...composed,
    rowCount: composed.rows.length,
    costed: costedShares(rows),
  }
}

/** The rows of one answer, of a report with all of its rows. */
export const pageOfReport = (report: Report, { page, size }: { page: number; size: number }): Report => ({
  ...report,
  rows: report.rows.slice((page - 1) * size, page * size),
})
