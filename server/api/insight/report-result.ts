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
import {
  productDimensions,
  type ReportDimension,
  type ReportOrd,
  type ReportSource,
  sourceOf,
} from '#contract/vocabulary/insight/report.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { availabilityByGrouping } from '#database/insight/report-availability.ts'
import {
  alarmsByGrouping,
  cashByGrouping,
  collectionsByGrouping,
  refundsByGrouping,
} from '#database/insight/report-events.ts'
import { needsMachine, needsProduct, type ReportOrder } from '#database/insight/report-grouping.ts'
import { piecesByGrouping } from '#database/insight/report-pieces.ts'
import {
  hasCommissions,
  hasCosts,
  lostByGrouping,
  machinesByTurnover,
  pageByTurnover,
  salesByGrouping,
} from '#database/insight/report-sales.ts'
import { visitsByGrouping } from '#database/insight/report-visits.ts'
import type { SalesOrder } from '#database/insight/sales-facts.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'
import { firstDayOf } from '#database/sales/first-day.ts'
import { composeReport, costedShares, knownParts, placesInOrder } from '#domain/insight/report.ts'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import type { ChosenOrder, NameOf } from '#domain/insight/report-order.ts'
import { comparedPeriods, periodsWithData } from '#domain/time/comparison.ts'
import { dayIn, daysIn, type Period } from '#domain/time/period.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { reportWords } from './report-words.ts'

const places: readonly ReportDimension[] = ['machine', 'client', 'group']
/** Only places have visits, and losses now. */
const isOfPlaces = (by: readonly ReportDimension[]) => by.every((one) => places.includes(one))
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
  const ofSource: Partial<Record<ReportSource, Feature>> = {
    refunds: 'customerMedia',
    visits: 'productStock',
    pieces: 'warehouse',
    availability: 'productStock',
  }
  const needed = by.some((one) => productDimensions.includes(one)) ? 'vending' : ofSource[sourceOf(type)]
  if (!needed) return db
  const able = (await merchantsWith(db, [needed])).get(needed)
  const scope = db.scope.filter(({ merchantId }) => able?.has(merchantId))
  if (scope.length === 0) throw new ProductError('FeatureNotEnabled')
  return withinScope(db, scope)
}

/** What a role sees of visits: costs are for readers who see products. */
function visitsSeenBy(role: Role): SalesOrder['withVisits'] {
  if (!roleMay(role, 'round.read')) return undefined
  return roleMay(role, 'product.read') ? 'costed' : 'counted'
}

type Read = (order: ReportOrder) => Promise<SummedRow[]>
/** How rows are read, and those of machines with their turnover alone. */
interface Reader {
  read: Read
  ofMachines?: {
    turnover: Read
    page: (order: ReportOrder, page: Page) => ReturnType<typeof pageByTurnover>
  }
}

/** How the rows of a period are read. Costs are for readers who see products. */
async function readerOf(
  db: TenantDb,
  { type, startDate }: ReportQuery,
  by: readonly ReportDimension[],
  role: Role,
): Promise<Reader> {
  const limit = mostReportRows + 1
  switch (sourceOf(type)) {
    case 'alarms':
      return { read: (order) => alarmsByGrouping(db, order, limit) }
    case 'cash':
      return { read: (order) => cashByGrouping(db, order, limit) }
    case 'refunds':
      return { read: (order) => refundsByGrouping(db, order, limit) }
    case 'collections':
      return { read: (order) => collectionsByGrouping(db, order, limit) }
    case 'visits': {
      const withCosts = visitsSeenBy(role) === 'costed'
      return { read: (order) => visitsByGrouping(db, { ...order, withCosts }, limit) }
    }
    case 'pieces': {
      const withCosts = roleMay(role, 'product.read')
      return { read: (order) => piecesByGrouping(db, { ...order, withCosts }, limit) }
    }
    case 'availability':
      return { read: (order) => availabilityByGrouping(db, order, limit) }
    case 'sales': {
      const isCoarse = by.includes('hour') && !needsFineHours(by)
      const withCost = !isCoarse && roleMay(role, 'product.read') && (await hasCosts(db, startDate))
      const withCommission = !isCoarse && (await hasCommissions(db, startDate))
      const withVisits = isOfPlaces(by) ? visitsSeenBy(role) : undefined
      const options = { withCost, withCommission, withVisits, isTurnover: type !== 'transactions' }
      return {
        read: (order) => salesByGrouping(db, { ...order, ...options }, limit),
        ofMachines: {
          turnover: (order) => machinesByTurnover(db, { ...order, ...options }, limit),
          page: (order, page) => pageByTurnover(db, { ...order, ...options }, page),
        },
      }
    }
  }
}

const keyOf = ({ merchantId, keys }: SummedRow) => JSON.stringify([merchantId, ...keys])

/** Rows with what their machines lose per day now. */
async function withLosses(db: TenantDb, order: ReportOrder, rows: readonly SummedRow[]): Promise<SummedRow[]> {
  const lost = new Map((await lostByGrouping(db, order, mostReportRows + 1)).map((row) => [keyOf(row), row.sums]))
  return rows.map((row) => ({ ...row, sums: { ...row.sums, ...lost.get(keyOf(row)) } }))
}

interface Page {
  page: number
  size: number
}

/** Orders that machines have by their turnover and name alone. */
const turnoverOrds: readonly (ReportOrd | undefined)[] = [undefined, 'first', 'merchant', 'value', 'change']

/** Whether the rows of a page can be read alone: of machines, which are found by their ids. */
const isPaged = (db: TenantDb, { type, posIds, ord }: ReportQuery, by: readonly ReportDimension[]) =>
  sourceOf(type) === 'sales' &&
  turnoverOrds.includes(ord) &&
  by.length === 1 &&
  by[0] === 'machine' &&
  !posIds?.length &&
  db.scope.every(({ groups }) => groups === 'all')

type OfMachines = NonNullable<Reader['ofMachines']>

/** What a report is read from, and for which periods. */
interface Reading {
  db: TenantDb
  order: ReportOrder
  compared: readonly Period[] | undefined
  read: Read
  source: ReportSource
  /** The chosen columns, order and pivot. */
  shape: Shape
  /** Whether rows have what machines lose per day now: a figure of places. */
  hasLosses: boolean
}

interface Shape extends Pick<ReportQuery, 'figures' | 'pivot'> {
  order: ChosenOrder | undefined
  nameOf: NameOf
}

/** What the reader chose of the table, with the names of keys in their language. */
function shapeOf(
  { figures, pivot, ord, ordType, ordKey, parameter }: ReportQuery,
  by: readonly ReportDimension[],
  language: Language,
): Shape {
  const isByName = ord === 'first' || ord === 'second' || ord === 'merchant'
  const words = reportWords(language, { parameter: parameter ?? null })
  return {
    figures,
    pivot,
    order: ord && { ord, isRising: (ordType ?? (isByName ? 'ASC' : 'DESC')) === 'ASC', key: ordKey },
    nameOf: (row, at) => words.names(by, { ...row, keys: [...row.keys], labels: [...row.labels] })[at] ?? '',
  }
}

function refuseLarge(...some: readonly { length: number }[]): void {
  if (some.some(({ length }) => length > mostReportRows)) throw new ProductError('ReportTooLarge')
}

/** The rows of all periods. */
async function readAll({ db, order, compared, read, hasLosses }: Reading) {
  const summed = await read(order)
  const rows = hasLosses ? await withLosses(db, order, summed) : summed
  const before: SummedRow[][] = []
  for (const days of compared ?? []) before.push(await read({ ...order, ...days }))
  refuseLarge(rows, ...before)
  return { rows, before: compared && before }
}

async function wholeReport(reading: Reading) {
  const { source, order } = reading
  const given = await readAll(reading)
  if (given.rows.length === 0) throw new ProductError('ReportWithoutData')
  const composed = composeReport({ source, by: order.by, ...reading.shape, ...given })
  refuseLarge(composed.rows)
  return {
    ...composed,
    rowCount: composed.rows.length,
    costed: costedShares(given.rows),
    known: knownParts(given.rows),
  }
}

/** The machines of a page in order, and the number of all. */
async function machinesOf(reading: Reading, { turnover, page: read }: OfMachines, page: Page) {
  const { order, compared, shape } = reading
  // A machine that only a compared period has is a row as well.
  const found = compared || shape.order ? undefined : await read(order, page)
  if (found) return found
  const { rows, before } = await readAll({ ...reading, read: turnover, hasLosses: false })
  if (rows.length === 0) throw new ProductError('ReportWithoutData')
  const inOrder = placesInOrder({ by: order.by, rows, before, ...shape })
  const ids = inOrder.slice((page.page - 1) * page.size, page.page * page.size).flatMap(({ keys: [id] }) => id ?? [])
  return { ids, total: inOrder.length }
}

/** A page of machines: all are put in order by their turnover, and only those of the page are added up in full; totals come from sums of all. */
async function pageOfMachines(reading: Reading, ofMachines: OfMachines, page: Page) {
  const { source, order, compared } = reading
  const { ids, total } = await machinesOf(reading, ofMachines, page)
  refuseLarge({ length: total })
  const none = { rows: [], before: compared?.map(() => []) }
  const shown = ids.length > 0 ? await readAll({ ...reading, order: { ...order, posIds: ids } }) : none
  const whole = await readAll({ ...reading, order: { ...order, by: [] } })
  const composed = composeReport({ source, by: order.by, ...reading.shape, ...shown, whole })
  return { ...composed, rowCount: total, costed: costedShares(whole.rows), known: knownParts(whole.rows) }
}

/**
 * The report that a query asks for, or a page of it. Figures come from sums and equal the statistics and lists of the same filters. Throws
 * ReportWithoutData where the period has none, PeriodTooLong and ReportTooLarge above the limits.
 */
export async function reportOf(
  wide: TenantDb,
  query: ReportQuery,
  { role, now, language, page }: { role: Role; now: Date; language: Language | null; page?: Page },
): Promise<Report> {
  const by = groupingOf(query)
  refuseDays(query, by)
  const db = await ableTo(wide, query, by)
  const { type, parameter, startDate, endDate, groupIds, clientIds, posIds, terms } = query
  const order = { by, parameter, groupIds, clientIds, posIds, startDate, endDate, terms }
  const { read, ofMachines } = await readerOf(db, query, by, role)
  const compared = query.compare
    ? periodsWithData(comparedPeriods(query.compare, query, query.preset), await firstDayOf(db, query))
    : []
  const source = sourceOf(type)
  const hasLosses = source === 'sales' && isOfPlaces(by)
  const shape = shapeOf(query, by, language ?? 'en')
  const reading = { db, order, compared: compared.length > 0 ? compared : undefined, read, source, shape, hasLosses }
  const isOfPage = page && ofMachines && isPaged(db, query, by)
  const composed = isOfPage ? await pageOfMachines(reading, ofMachines, page) : await wholeReport(reading)
  const zones = await db.from('merchants').select('merchants.time_zone').distinct().execute()
  const isRunning = zones.some(({ time_zone }) => {
    const today = dayIn(now, time_zone)
    return startDate <= today && today <= endDate
  })
  const report = {
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
  }
  return page && !isOfPage ? pageOfReport(report, page) : report
}

/** The rows of one answer, of a report with all of its rows. */
export const pageOfReport = (report: Report, { page, size }: Page): Report => ({
  ...report,
  rows: report.rows.slice((page - 1) * size, page * size),
  pivot: report.pivot && { ...report.pivot, rows: report.pivot.rows.slice((page - 1) * size, page * size) },
})
