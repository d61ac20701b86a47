import type { Report, ReportRow } from '#contract/insight/report.ts'
import { figuresOf, type ReportDimension, type ReportFigure, sourceOf } from '#contract/vocabulary/insight/report.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import type { Period } from '#domain/time/period.ts'
import type { Place } from '#portal/app/place.ts'
import type { AskedReport } from './reportSearch.ts'

type Filters = Record<string, string | string[] | undefined>

/** Filters of the list of transactions by grouping. */
const ofSales: Partial<Record<ReportDimension, string>> = {
  product: 'products',
  productType: 'productTypes',
  machine: 'posIds',
  client: 'clientIds',
  group: 'groupIds',
  priceTable: 'priceTables',
  media: 'mediaTypes',
  hour: 'hours',
  transactionType: 'types',
}
const ofAlarms: Partial<Record<ReportDimension, string>> = {
  alarm: 'codes',
  severity: 'criticities',
  machine: 'posIds',
  client: 'clientIds',
  group: 'groupIds',
}
const ofRefunds: Partial<Record<ReportDimension, string>> = {
  refundKind: 'kinds',
  refundState: 'states',
  machine: 'posIds',
  client: 'clientIds',
  group: 'groupIds',
}

const ofCollections: Partial<Record<ReportDimension, string>> = { machine: 'posIds', group: 'groupIds' }

const ofVisits: Partial<Record<ReportDimension, string>> = {
  technician: 'technicianIds',
  route: 'routeIds',
  machine: 'posIds',
  client: 'clientIds',
  group: 'groupIds',
}

/** Figures of visits, with the further filters of their list. Reports of sales have some of them as well. */
const figuresOfVisits: Partial<Record<ReportFigure, Filters>> = {
  visits: {},
  loaded: {},
  visitCost: {},
  wasted: { hasWaste: 'true' },
  wastedPieces: { hasWaste: 'true' },
}
const ofPieces: Partial<Record<ReportDimension, string>> = {
  stockPlace: 'stockPlaceIds',
  driver: 'driverIds',
  stockProduct: 'productIds',
}
/** Figures of losses, with the further filters of their list. */
const figuresOfPieces: Partial<Record<ReportFigure, Filters>> = {
  loss: {},
  lostPieces: {},
  missing: { kinds: 'missing' },
  found: { kinds: 'found' },
  expired: { kinds: 'expired' },
  discarded: { kinds: 'waste' },
}
const figuresOfTakenBoxes: readonly ReportFigure[] = ['counted', 'uncounted']

/** The first and last day of a month that are in a period. */
function daysOfMonth(month: string, { startDate, endDate }: Period): Period {
  const first = `${month.slice(0, 4)}-${month.slice(4)}-01`
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)), 0)).toISOString().slice(0, 10)
  return { startDate: first > startDate ? first : startDate, endDate: last < endDate ? last : endDate }
}

/** The filters of a row and its days: those of its month, if it has one. Undefined where no list can be filtered by it. */
function filtersOfRow(
  names: typeof ofSales,
  report: Report,
  { startDate, endDate }: Period,
  row: Pick<ReportRow, 'keys' | 'isGone'> | undefined,
): Filters | undefined {
  if (!row) return { startDate, endDate }
  const monthAt = report.by.indexOf('month')
  const isOther = (_: unknown, at: number) => at !== monthAt
  const others = { ...report, by: report.by.filter(isOther) }
  const keys = row.isGone ? undefined : keyFilters(names, others, { keys: row.keys.filter(isOther) })
  const month = row.keys[monthAt]
  return keys && { ...(month ? daysOfMonth(month, { startDate, endDate }) : { startDate, endDate }), ...keys }
}

/** The list of visits behind a figure of a row, or of the whole report. */
function placeOfVisits(
  report: Report,
  { groupIds, clientIds, posIds, terms, ...days }: AskedReport,
  more: Filters,
  row: Pick<ReportRow, 'keys' | 'isGone'> | undefined,
): Place | undefined {
  const ofRow = filtersOfRow(ofVisits, report, days, row)
  if (!ofRow) return undefined
  const search: Filters = { groupIds, clientIds, posIds, ...more, ...ofRow }
  return { to: '/devices/visits', search: { ...search, ...(isOfTerms(report, search) && { terms }) } }
}

/** The stock movements of a machine, which say when its selections were sold out. */
function placeOfAvailability(
  { by }: Report,
  { startDate, endDate }: AskedReport,
  row: Pick<ReportRow, 'keys'> | undefined,
): Place | undefined {
  const posId = row?.keys[by.indexOf('machine')]
  const month = row?.keys[by.indexOf('month')]
  const days = month ? daysOfMonth(month, { startDate, endDate }) : { startDate, endDate }
  return posId ? { to: '/devices/$posId/stock/movements', params: { posId }, search: { ...days } } : undefined
}

/** The list of losses behind a figure of a row, or of the whole report. */
function placeOfPieces(
  report: Report,
  asked: AskedReport,
  more: Filters | undefined,
  row: Pick<ReportRow, 'keys' | 'isGone'> | undefined,
): Place | undefined {
  const ofRow = more && filtersOfRow(ofPieces, report, asked, row)
  return ofRow && { to: '/piece-losses', search: { ...more, ...ofRow } }
}

/** Further filters of a figure; undefined where no list is behind it. */
const figures: Partial<Record<ReportFigure, Filters>> = {
  value: { errorSale: 'false' },
  count: {},
  average: { errorSale: 'false' },
  vends: { errorSale: 'false' },
  freeCount: { freeSale: 'true' },
  errorCount: { errorSale: 'true' },
  refunded: { refunded: 'true' },
  otherCount: {},
  otherValue: {},
  alarms: { statuses: 'any' },
  blocking: { statuses: 'any', criticities: '4' },
  open: { statuses: ['active', 'notification'] },
  refunds: {},
  given: {},
  collections: {},
  uncounted: { statuses: 'open' },
  counted: { statuses: ['counted', 'disputed', 'closed'] },
}

/** Whether the list can be filtered by each key: only sales can lack something. */
function keyFilters(names: typeof ofSales, report: Report, row: Pick<ReportRow, 'keys'>): Filters | undefined {
  const filters: Filters = {}
  const without: string[] = []
  for (const [at, dimension] of report.by.entries()) {
    const key = row.keys[at] ?? null
    if (key === null) without.push(dimension)
    else if (dimension === 'parameter') Object.assign(filters, { parameterValues: key })
    else {
      const name = names[dimension]
      if (!name) return undefined
      filters[name] = key
    }
    if (dimension === 'parameter') Object.assign(filters, { parameter: report.parameter ?? undefined })
  }
  if (without.length > 0 && names !== ofSales) return undefined
  return { ...filters, ...(without.length > 0 && { without }) }
}

const ofTerms: readonly ReportDimension[] = ['group', 'client', 'product', 'productType', 'parameter']

/** Whether groups, clients or products narrow the list, by the report's terms. */
const isOfTerms = ({ by }: Report, { groupIds, clientIds }: Filters) =>
  by.some((one) => ofTerms.includes(one)) || Boolean(groupIds?.length || clientIds?.length)

/** The report with another grouping or filter, of the same period and comparison. */
function narrowed(report: Report, asked: AskedReport, change: Partial<AskedReport>): Place {
  const { startDate, endDate, preset, compare, terms, groupIds, clientIds, posIds, parameter } = asked
  const search = { groupIds, clientIds, posIds, ...change }
  const some = (ids: readonly string[]) => (ids.length > 0 ? [...ids] : undefined)
  return {
    to: '/transactions/reports/result',
    search: {
      type: report.type,
      by: change.by,
      parameter: change.by?.includes('parameter') ? parameter : undefined,
      compare,
      ...(preset ? { period: preset } : { startDate, endDate }),
      terms: terms === 'today' ? terms : undefined,
      groupIds: some(search.groupIds),
      clientIds: some(search.clientIds),
      posIds: some(search.posIds),
    },
  }
}

/** Groupings whose deleted records have no list. */
const ofRecords: readonly ReportDimension[] = ['route', 'stockPlace', 'stockProduct']

/**
 * What is behind a key of a row, in the period of the report: the machines of a group or client, the sales of a machine, or the list of the
 * other keys. Undefined without any.
 */
export function placeOfKey(
  report: Report,
  asked: AskedReport,
  row: Pick<ReportRow, 'keys' | 'isGone'>,
  at: number,
): Place | undefined {
  const dimension = report.by[at]
  const key = row.keys[at] ?? null
  if (!dimension || key === null) return undefined
  if (dimension === 'group' || dimension === 'client') {
    if (row.isGone) return undefined
    const by = report.by.map((one) => (one === dimension ? ('machine' as const) : one))
    return narrowed(report, asked, { by: [...new Set(by)], [`${dimension}Ids`]: [key] })
  }
  if (sourceOf(report.type) === 'cash')
    return dimension === 'machine'
      ? {
          to: '/devices/$posId/cash',
          params: { posId: key },
          search: { startDate: asked.startDate, endDate: asked.endDate },
        }
      : undefined
  const [main = 'value'] = figuresOf[sourceOf(report.type)]
  return placeOfFigure({ ...report, by: [dimension] }, asked, main, {
    keys: [key],
    isGone: row.isGone && ofRecords.includes(dimension),
  })
}

/** The list behind a figure of a row, or of the whole report; undefined without a list. */
export function placeOfFigure(
  report: Report,
  asked: AskedReport,
  figure: ReportFigure,
  row: Pick<ReportRow, 'keys' | 'isGone'> | undefined,
): Place | undefined {
  const { startDate, endDate, groupIds, clientIds, posIds, terms } = asked
  const source = sourceOf(report.type)
  const ofTaken = source === 'visits' && figuresOfTakenBoxes.includes(figure) ? { cashTaken: 'true' } : undefined
  const ofVisit = figuresOfVisits[figure] ?? ofTaken
  if (ofVisit) return placeOfVisits(report, asked, ofVisit, row)
  if (source === 'availability') return placeOfAvailability(report, asked, row)
  if (source === 'pieces') return placeOfPieces(report, asked, figuresOfPieces[figure], row)
  const more = figures[figure]
  if (!more || source === 'cash' || source === 'visits' || row?.isGone) return undefined
  // Of other transactions, only a single type has a list.
  if (figure.startsWith('other') && !(row && report.by.includes('transactionType'))) return undefined
  const names = { sales: ofSales, alarms: ofAlarms, refunds: ofRefunds, collections: ofCollections }[source]
  const keys = row ? keyFilters(names, report, row) : {}
  if (!keys) return undefined
  const common: Filters = { startDate, endDate, groupIds, clientIds, posIds }
  const types = {
    ...(source === 'sales' && { types: saleTypes.map(String) }),
    ...(isOfTerms(report, common) && { terms }),
  }
  const to = {
    sales: '/transactions/data',
    alarms: '/alarms',
    refunds: '/customers-medias/refunds',
    collections: '/devices/collections',
  }[source]
  return { to, search: { ...common, ...types, ...more, ...keys } }
}
