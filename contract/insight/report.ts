// Over 450 lines because a report's query, its result, and the saved reports that repeat its query share their checks.
import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'
import { Comparison } from '../frame/comparison.ts'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { periodPresets } from '../frame/period.ts'
import { Day, Instant, LineText, MinorUnits, oneOrMany, ordered, ordTypes, period, Text } from '../frame/shapes.ts'
import { wholeBetween } from '../rules/number.ts'
import { SaleTerms } from '../sales/terms.ts'
import {
  type ReportDimension as Dimension,
  dimensionsOf,
  knownShares,
  ownDimension,
  refundFigures,
  reportDimensions,
  reportFigureNames,
  reportOrds,
  reportTypes,
  type ReportType as Type,
} from '../vocabulary/insight/report.ts'
import { Role } from '../vocabulary/roles.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** Maximum days of a report. A report by hour and machine or product reads hourly sums, so it has fewer. */
export const mostReportDays = 731
export const mostHourDays = 92
/** Maximum rows of a report. Its workbook has them all. */
export const mostReportRows = 20_000
/** Maximum rows of one answer, and of a PDF. */
export const mostRowsAtOnce = 2000
/** Maximum columns of a pivot. The smallest of more are added up in one. */
export const mostPivotColumns = 100
/** Maximum colleagues who get the mails of a report, or a copy of it at once. */
export const mostReportReaders = 20
/** Maximum saved reports of one user at one merchant. */
export const mostReports = 100

const ReportType = z.enum(reportTypes)
const ReportDimension = z.enum(reportDimensions)
const ReportFigure = z.enum(reportFigureNames)
export const ParameterName = LineText.trim().min(1).max(60)
/** The key of a pivot's column; the column without a key is ''. */
const PivotKey = Text.max(200)

interface Grouping {
  type: Type
  by?: readonly Dimension[] | undefined
  parameter?: string | null | undefined
  pivot?: string | null | undefined
}

/** The groupings of a report: the given ones, or the type's own. */
export const groupingOf = ({ type, by }: Grouping): readonly Dimension[] => (by?.length ? by : [ownDimension(type)])

/** One or two different groupings that the type has; a grouping by parameter names the parameter, and a pivot needs two. */
const groupedSoundly = <T extends Grouping>() =>
  z.superRefine<T>((values, context) => {
    const { type, by = [], parameter, pivot } = values
    if (!reportTypes.includes(type) || !Array.isArray(by)) return
    const isSound = by.every((one) => dimensionsOf(type).includes(one)) && new Set(by).size === by.length
    if (!isSound) context.addIssue({ code: 'custom', ...saying('choice'), path: ['by'] })
    if (by.includes('parameter') && !parameter)
      context.addIssue({ code: 'custom', ...saying('required'), path: ['parameter'] })
    if (pivot && by.length < 2) context.addIssue({ code: 'custom', ...saying('required'), path: ['by'] })
  }, always)

/**
 * Without a grouping, rows are grouped by what the type is about. `preset` says that the days are those of a preset, such as "this month".
 * `figures` are the shown ones in their order, all by default. `pivot` is the figure of a table with the second grouping as its columns;
 * `ordKey` orders its rows by one of them. Without an order, groups have that of their main figure; where it is compared, the largest
 * differences are first.
 */
const filters = {
  groupIds: oneOrMany(ids.groupId),
  clientIds: oneOrMany(ids.clientId),
  posIds: oneOrMany(ids.pastPosId),
  terms: SaleTerms.default('ofDay'),
}
const query = {
  ...period,
  preset: z.enum(periodPresets).optional(),
  type: ReportType.default('products'),
  by: oneOrMany(ReportDimension).refine((by) => (by?.length ?? 0) <= 2, saying('maximum', { maxValue: 2 })),
  parameter: ParameterName.optional(),
  compare: Comparison.optional(),
  ...filters,
  figures: oneOrMany(ReportFigure),
  pivot: ReportFigure.optional(),
  ...ordered(reportOrds),
  ordKey: PivotKey.optional(),
}
export const ReportQuery = z.strictObject(query).check(groupedSoundly())
export type ReportQuery = z.infer<typeof ReportQuery>
/** With the rows of one answer: `page` from 1, and `size`. Totals are of all rows. */
const ReportPageQuery = z
  .strictObject({
    ...query,
    page: z.coerce.number().int().min(1).max(mostReportRows).default(1),
    size: z.coerce.number().int().min(1).max(mostRowsAtOnce).default(mostRowsAtOnce),
  })
  .check(groupedSoundly())
const ReportFileQuery = z
  .strictObject({
    ...query,
    /** The language of its words; the reader's own by default. */
    language: Language.optional(),
  })
  .check(groupedSoundly())

/** Figures in the order of the report's `figures`. Money is minor units, a percent a ratio. Null: not known. */
const Values = z.array(z.number().nullable())

/** A row: its keys are ids, codes or texts, one for each grouping; null without any. Labels are names of ids. */
export const ReportRow = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  currency: Currency,
  keys: z.array(z.string().nullable()),
  labels: z.array(z.string().nullable()),
  /** Its group or client is deleted or out of the reader's reach, so no list can be filtered by it. */
  isGone: z.boolean(),
  values: Values,
  /** The figures to compare with; of the usual, their mean. Null without a comparison. */
  before: Values.nullable(),
})
export type ReportRow = z.infer<typeof ReportRow>

export const ReportTotal = z.strictObject({ currency: Currency, values: Values, before: Values.nullable() })
export type ReportTotal = z.infer<typeof ReportTotal>

/**
 * A figure with the first grouping as rows and the second as columns. Cells are in the order of `columns`, and one more has the other columns
 * together, if there are any. A total is that of its row's or column's sales, so that averages and shares are right as well.
 */
export const ReportPivot = z.strictObject({
  figure: ReportFigure,
  columns: z.array(z.strictObject({ key: z.string().nullable(), label: z.string().nullable(), currency: Currency })),
  /** The number of columns in the last cell; 0: there is none. */
  others: z.int(),
  rows: z.array(
    z.strictObject({
      merchantId: z.uuid(),
      merchantName: z.string(),
      currency: Currency,
      key: z.string().nullable(),
      label: z.string().nullable(),
      isGone: z.boolean(),
      cells: Values,
      total: z.number().nullable(),
    }),
  ),
  /** The rows of the pivot, of which `rows` are some. */
  rowCount: z.int(),
  /** One for each currency, of all rows. */
  totals: z.array(z.strictObject({ currency: Currency, cells: Values, total: z.number().nullable() })),
})
export type ReportPivot = z.infer<typeof ReportPivot>

const ReportDays = z.strictObject({ startDate: Day, endDate: Day })

export const Report = z.strictObject({
  type: ReportType,
  by: z.array(ReportDimension),
  parameter: z.string().nullable(),
  startDate: Day,
  endDate: Day,
  /** The period includes today, so its figures will still change. */
  isRunning: z.boolean(),
  terms: SaleTerms,
  compare: Comparison.nullable(),
  /** The compared periods, the newest first. */
  compared: z.array(ReportDays),
  figures: z.array(ReportFigure),
  /** All figures that say something, of which `figures` are the chosen ones. */
  offered: z.array(ReportFigure),
  rows: z.array(ReportRow),
  /** The rows of the report, of which `rows` are some. */
  rowCount: z.int(),
  /** One for each currency, of all rows. */
  totals: z.array(ReportTotal),
  pivot: ReportPivot.nullable(),
  /** Sales of products with known cost and VAT, of all sales, in minor units by currency. Margins are of these sales. */
  costed: z.array(z.strictObject({ currency: Currency, value: MinorUnits, of: MinorUnits })),
  /** How many visits have a known cost, and how many of the pieces that they threw away. Profits are of these. */
  known: z.array(z.strictObject({ currency: Currency, of: z.enum(knownShares), part: z.int(), whole: z.int() })),
})
export type Report = z.infer<typeof Report>

export const RefundsQuery = z.strictObject({ ...period, ...filters })
export type RefundsQuery = z.infer<typeof RefundsQuery>

/** Number and amount of one kind of refunds in a currency. */
export const RefundSums = z.strictObject({
  figure: z.enum(refundFigures),
  currency: Currency,
  count: z.int(),
  amount: MinorUnits,
})
export type RefundSums = z.infer<typeof RefundSums>

/** When a report is mailed, by the merchant's clock. `day`: the weekday from 1 (Monday), or the day of the month; a shorter month's last. */
export const ReportSchedule = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('day'), hour: wholeBetween(0, 23) }),
  z.strictObject({ every: z.literal('week'), day: wholeBetween(1, 7), hour: wholeBetween(0, 23) }),
  z.strictObject({ every: z.literal('month'), day: wholeBetween(1, 31), hour: wholeBetween(0, 23) }),
])
export type ReportSchedule = z.infer<typeof ReportSchedule>

/** What a saved report shows: days, or a preset that follows the calendar. */
const definition = {
  type: ReportType.default('products'),
  by: z.array(ReportDimension).max(2).default([]),
  parameter: ParameterName.nullable().default(null),
  compare: Comparison.nullable().default(null),
  preset: z.enum(periodPresets).nullable().default(null),
  startDate: Day.nullable().default(null),
  endDate: Day.nullable().default(null),
  groupIds: z.array(ids.groupId).max(100).default([]),
  clientIds: z.array(ids.clientId).max(100).default([]),
  posIds: z.array(ids.pastPosId).max(100).default([]),
  terms: SaleTerms.default('ofDay'),
  figures: z.array(ReportFigure).max(reportFigureNames.length).default([]),
  pivot: ReportFigure.nullable().default(null),
  ord: z.enum(reportOrds).nullable().default(null),
  ordType: z.enum(ordTypes).default('DESC'),
  ordKey: PivotKey.nullable().default(null),
}
export const ReportDefinition = z.strictObject(definition)
export type ReportDefinition = z.infer<typeof ReportDefinition>

const fields = {
  name: LineText.trim().min(1).max(80),
  isShared: z.boolean().default(false),
  ...definition,
  schedule: ReportSchedule.nullable().default(null),
  /** Colleagues who get its mails as well, each with the machines and the language of their account. */
  readerIds: z.array(ids.userId).max(mostReportReaders).default([]),
}
type Fields = z.infer<z.ZodObject<typeof fields>>

/** A saved report has a preset or two days, in order; a schedule needs a preset, since its period moves. */
const datedSoundly = <T extends Pick<Fields, 'preset' | 'startDate' | 'endDate' | 'schedule'>>() =>
  z.superRefine<T>(({ preset, startDate, endDate, schedule }, context) => {
    const add = (rule: ReturnType<typeof saying>, path: string) =>
      context.addIssue({ code: 'custom', ...rule, path: [path] })
    if (preset) return
    if (schedule) return add(saying('required'), 'preset')
    if (!startDate || !endDate) return add(saying('required'), startDate ? 'endDate' : 'startDate')
    if (endDate < startDate) add(saying('range'), 'endDate')
  }, always)

export const NewReport = z.strictObject(fields).check(groupedSoundly()).check(datedSoundly())
export type NewReport = z.infer<typeof NewReport>
export const ReportChange = z
  .strictObject({ ...fields, version: Version })
  .check(groupedSoundly())
  .check(datedSoundly())

/** Why a scheduled report was not sent: its reader has no access, or the mail server refused it. */
export const sendFailures = [
  'UnauthorizedUserException',
  'MerchantNotFoundException',
  'FeatureNotEnabled',
  'PeriodTooLong',
  'ReportTooLarge',
  'ReportPdfFailed',
  'MailRefused',
] as const

/** A report saved under a name. */
export const SavedReport = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  ...fields,
  /** Saved by the caller. A scheduled report is mailed to its owner and its readers. */
  isMine: z.boolean(),
  /** The caller is one of its readers. */
  isRead: z.boolean(),
  /** By name; null if the reader may not see it. */
  readers: z.array(
    z.strictObject({ id: z.uuid(), name: z.string().nullable(), failure: z.enum(sendFailures).nullable() }),
  ),
  /** Null if the reader may not see the name. */
  owner: z.string().nullable(),
  nextAt: Instant.nullable(),
  lastSentAt: Instant.nullable(),
  /** Why the owner’s last one was not sent. */
  failure: z.enum(sendFailures).nullable(),
  version: Version,
  createdAt: Instant,
})
export type SavedReport = z.infer<typeof SavedReport>

/** A user of the merchant, to whom a report may be copied or mailed. */
export const Colleague = z.strictObject({ id: z.uuid(), name: z.string(), role: Role })
export type Colleague = z.infer<typeof Colleague>

const result = '/merchants/{merchantId}/report' as const
const saved = '/merchants/{merchantId}/reports' as const
const fails = ['PeriodReversed', 'PeriodTooLong', 'ReportTooLarge', 'ReportWithoutData', 'FeatureNotEnabled'] as const
const saves = ['MerchantNotSelected', 'ReportNameTaken', 'TooManyReports', 'UserNotFound'] as const

const file = { method: 'GET', needs: 'report.read', query: ReportFileQuery, fails, timeOut: 'large' } as const

export const reports = {
  getReport: endpoint({
    method: 'GET',
    path: result,
    summary: 'Get a report of a period, grouped by one or two groupings, compared with another period',
    needs: 'report.read',
    query: ReportPageQuery,
    ok: Report,
    fails,
    timeOut: 'large',
  }),
  /** The same over all merchants of the caller. */
  getReportOfAll: endpoint({
    method: 'GET',
    path: '/report',
    summary: 'Get a report over all your merchants',
    needs: 'report.read',
    query: ReportPageQuery,
    ok: Report,
    fails,
    timeOut: 'large',
  }),
  getReportPdf: endpoint({
    method: 'GET',
    path: `${result}/pdf`,
    summary: 'Get a report as PDF',
    needs: 'report.read',
    query: ReportFileQuery,
    produces: 'application/pdf',
    fails: [...fails, 'ReportPdfFailed'],
    timeOut: 'large',
  }),
  getReportXlsx: endpoint({
    ...file,
    path: `${result}/xlsx`,
    summary: 'Get a report as XLSX',
    produces: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  getReportCsv: endpoint({
    ...file,
    path: `${result}/csv`,
    summary: 'Get a report as CSV: its pivot, or all rows, with totals',
    produces: 'text/csv',
  }),
  getRefundFigures: endpoint({
    method: 'GET',
    path: `${result}/refunds`,
    summary: 'Get what the different figures of refunds of a period count',
    needs: 'report.read',
    query: RefundsQuery,
    ok: z.array(RefundSums),
    fails: ['PeriodReversed', 'PeriodTooLong'],
    timeOut: 'large',
  }),
  listReportParameters: endpoint({
    method: 'GET',
    path: `${result}/parameters`,
    summary: 'List the parameters of products',
    needs: 'report.read',
    feature: 'vending',
    topics: ['product'],
    ok: z.array(z.string()),
  }),
  listReports: endpoint({
    method: 'GET',
    path: saved,
    summary: 'List your saved reports, those you are a reader of, and those shared at the merchant, by name',
    needs: 'report.read',
    topics: ['report'],
    ok: z.array(SavedReport),
  }),
  getSavedReport: endpoint({
    method: 'GET',
    path: `${saved}/{reportId}`,
    summary: 'Get a saved report',
    needs: 'report.read',
    topics: ['report'],
    ok: SavedReport,
    fails: ['ReportNotFound'],
  }),
  createReport: endpoint({
    method: 'POST',
    path: saved,
    summary: 'Save a report; with a schedule it is mailed to you and its readers',
    needs: 'report.write',
    body: NewReport,
    ok: SavedReport,
    status: 201,
    fails: saves,
  }),
  updateReport: endpoint({
    method: 'PUT',
    path: `${saved}/{reportId}`,
    summary: 'Update a saved report; only its owner can make it private or change its schedule and readers',
    needs: 'report.write',
    body: ReportChange,
    ok: SavedReport,
    fails: ['ReportNotFound', ...saves, 'EditConflict', 'Forbidden'],
  }),
  deleteReport: endpoint({
    method: 'DELETE',
    path: `${saved}/{reportId}`,
    summary: 'Delete a saved report',
    needs: 'report.write',
    fails: ['ReportNotFound', 'Forbidden'],
  }),
  listReportColleagues: endpoint({
    method: 'GET',
    path: `${saved}/colleagues`,
    summary: 'List users of the merchant to whom a report may be copied or mailed',
    needs: 'report.write',
    ok: z.array(Colleague),
  }),
  copyReport: endpoint({
    method: 'POST',
    path: `${saved}/{reportId}/copies`,
    summary: 'Create a copy of a saved report for each colleague, without schedule',
    needs: 'report.write',
    body: z.strictObject({ userIds: z.array(ids.userId).min(1).max(mostReportReaders) }),
    fails: ['ReportNotFound', 'UserNotFound', 'TooManyReports'],
  }),
  leaveReport: endpoint({
    method: 'DELETE',
    path: `${saved}/{reportId}/readers/me`,
    summary: 'Remove yourself from the readers of a report',
    needs: 'report.write',
    finds: ['reportId'],
    fails: ['ReportNotFound'],
  }),
  sendReport: endpoint({
    method: 'POST',
    path: `${saved}/{reportId}/send`,
    summary: 'Send your saved report to yourself by mail',
    needs: 'report.write',
    finds: ['reportId'],
    limit: 'reportMail',
    fails: ['ReportNotFound', 'Forbidden'],
  }),
}
