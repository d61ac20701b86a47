import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import {
  mostReportDays,
  mostReports,
  type NewReport,
  ReportDefinition,
  type ReportQuery,
  type reports,
  SavedReport,
} from '#contract/insight/report.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { withinScope } from '#database/frame/tenant.ts'
import {
  countReports,
  deleteReport,
  findReport,
  insertReport,
  listReports,
  makeDue,
  type ReportContent,
  type ReportReader,
  type ReportRecord,
  removeReader,
  reportNamesOf,
  updateReport,
  writeReaders,
} from '#database/insight/report.ts'
import { parameterNames } from '#database/insight/report-sales.ts'
import { assignableUsers } from '#database/people/assignable-user.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { freeName } from '#domain/insight/report-name.ts'
import { nextSend } from '#domain/insight/report-schedule.ts'
import { daysIn } from '#domain/time/period.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { type ShownName, withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { sendPdf } from '#server/pdf/pdf.ts'
import { wordsIn } from '#server/words/words.ts'
import { refundFiguresOf } from './refund-figures.ts'
import { reportCsv } from './report-csv.ts'
import { reportPdf, reportTypesOfFiles, reportXlsx } from './report-files.ts'
import { reportOf } from './report-result.ts'
import type { Paper } from './report-sheets.ts'

const subjectType = 'report'
type On = TenantCall & { params: { merchantId: string } }

type Shown = ShownName<ReportRecord, 'owner_name'>
type ShownReader = ShownName<ReportReader, 'user_name'>

const present = (report: Shown, readers: readonly ShownReader[], userId: string): SavedReport =>
  wireOf(SavedReport, report, {
    ...report.definition,
    isMine: report.owner_id === userId,
    isRead: readers.some(({ user_id }) => user_id === userId),
    owner: report.owner_name,
    readerIds: readers.map(({ user_id }) => user_id),
    readers: readers.map(({ user_id, user_name, failure }) => ({ id: user_id, name: user_name, failure })),
  })

async function presentFor(call: On, all: readonly ReportRecord[]): Promise<SavedReport[]> {
  const { user } = call
  const redacted = await withShownNames(call, all, 'owner_id', 'owner_name')
  const shown: SavedReport[] = []
  for (const report of redacted)
    shown.push(present(report, await withShownNames(call, report.readers, 'user_id', 'user_name'), user.id))
  return shown
}
const presentOne = async (call: On, report: ReportRecord) => (await presentFor(call, [report]))[0] as SavedReport

/** Another user's private report answers as if it did not exist. */
async function visibleReport({ db, user }: TenantCall, id: string, isHeld = false): Promise<ReportRecord> {
  const report = await findReport(db, user.id, id)
  if (!report) throw new ProductError('ReportNotFound')
  if (!isHeld) return report
  // Rows are locked at one merchant, also under all merchants.
  const merchantDb = withinScope(db, [{ merchantId: report.merchant_id, groups: 'all' }])
  const held = await findReport(merchantDb, user.id, id, { isHeld })
  if (!held) throw new ProductError('ReportNotFound')
  return held
}

/** What a change log says: the content, without what the server keeps. */
const loggedOf = ({ name, is_shared, definition, schedule, readers }: Logged) => ({
  name,
  isShared: is_shared,
  ...definition,
  schedule,
  readerIds: readers.map(({ user_id }) => user_id),
})
type Logged = ReportContent & { readers: readonly Pick<ReportReader, 'user_id'>[] }

/** A shared report belongs to the merchant, whose log records the change. A private one is its owner's own matter. */
async function logShared(
  call: TenantCall,
  report: Pick<ReportRecord, 'merchant_id' | 'id'>,
  action: 'report.create' | 'report.update' | 'report.delete',
  { before, after }: { before?: Logged; after?: Logged },
): Promise<void> {
  const { db, user, now, live } = call
  db.afterCommit(() => live.announce(report.merchant_id, 'report'))
  if (!before?.is_shared && !after?.is_shared) return
  const change = { before: before && loggedOf(before), after: after && loggedOf(after) }
  const subject = { subjectType, subjectId: report.id, ...change } as const
  await recordChange(db, { merchantId: report.merchant_id, at: now, user, action, ...subject })
}

const contentOf = (fields: NewReport, timeZone: string, now: Date): ReportContent => {
  const { name, isShared, schedule } = fields
  const definition = ReportDefinition.strip().parse(fields)
  return { name, is_shared: isShared, definition, schedule, next_at: schedule && nextSend(schedule, now, timeZone) }
}

/** The colleagues that a body names, without the owner. Users of other merchants answer as if they did not exist. */
async function colleaguesOf(
  { doors }: TenantCall,
  { merchantId, ownerId }: { merchantId: string; ownerId: string },
  userIds: readonly string[],
) {
  const others = [...new Set(userIds)].filter((id) => id !== ownerId)
  if (others.length === 0) return []
  const users = await assignableUsers(doors, [merchantId], others)
  if (users.length < others.length) throw new ProductError('UserNotFound')
  return users.map(({ id, name }) => ({ user_id: id, user_name: name }))
}

const refuseTaken = (written: unknown) => {
  if (written === 'taken') throw new ProductError('ReportNameTaken')
}

const languageOf = ({ language }: TenantCall['user']) => language as Language | null

/** A report as a file, in the query's language or the reader's. */
async function paperOf(call: On & { query: ReportQuery & { language?: Language | undefined } }): Promise<Paper> {
  const { db, query, user, now, params } = call
  const { language: requestedLanguage, ...definition } = query
  const language = requestedLanguage ?? languageOf(user) ?? 'en'
  const report = await reportOf(db, definition, { role: user.role, now, language })
  const isAll = params.merchantId === allMerchants
  const merchant = await db.from('merchants').select(['merchants.name', 'merchants.time_zone']).executeTakeFirst()
  return {
    report,
    title: undefined,
    language,
    merchant: isAll ? wordsIn(language, 'shell')('allMerchants') : (merchant?.name ?? ''),
    isAll,
    timeZone: isAll ? 'UTC' : (merchant?.time_zone ?? 'UTC'),
    now,
  }
}

const nameOf = ({ report, language }: Paper) =>
  `${wordsIn(language, 'report')(`type.${report.type}`)} ${report.startDate} ${report.endDate}`

export const reportHandlers: Handlers<typeof reports> = {
  getReport: async ({ db, query: { page, size, ...query }, user, now }) =>
    reportOf(db, query, { role: user.role, now, language: languageOf(user), page: { page, size } }),

  getReportOfAll: async ({ doors, query: { page, size, ...query }, user, now }) =>
    doors.withTenant(
      user.scope,
      (db) => reportOf(db, query, { role: user.role, now, language: languageOf(user), page: { page, size } }),
      'read',
    ),

  getReportPdf: async (call) => {
    const paper = await paperOf(call)
    return sendPdf(call.reply, nameOf(paper), await reportPdf(paper))
  },

  getReportXlsx: async (call) => {
    const paper = await paperOf(call)
    const bytes = await reportXlsx(paper)
    return sendAttachment(call.reply, { name: `${nameOf(paper)}.xlsx`, type: reportTypesOfFiles.xlsx, content: bytes })
  },

  getReportCsv: async (call) => {
    const paper = await paperOf(call)
    return sendAttachment(call.reply, {
      name: `${nameOf(paper)}.csv`,
      type: reportTypesOfFiles.csv,
      content: reportCsv(paper),
    })
  },

  getRefundFigures: async ({ db, query }) => {
    refuseReversed(query)
    if (daysIn(query) > mostReportDays) throw new ProductError('PeriodTooLong')
    return refundFiguresOf(db, query)
  },

  listReportParameters: ({ db }) => parameterNames(db),

  listReports: async (call) => presentFor(call, await listReports(call.db, call.user.id)),

  getSavedReport: async (call) => presentOne(call, await visibleReport(call, call.params.reportId)),

  createReport: async (call) => {
    const { db, user, params, body, now } = call
    if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    if ((await countReports(db, user.id)) >= mostReports) throw new ProductError('TooManyReports')
    const { time_zone } = await db.from('merchants').select('merchants.time_zone').executeTakeFirstOrThrow()
    const content = contentOf(body, time_zone, now)
    const key = { merchant_id: params.merchantId, id: randomUUIDv7() }
    const readers = await colleaguesOf(call, { merchantId: params.merchantId, ownerId: user.id }, body.readerIds)
    refuseTaken(
      await insertReport(db, { ...content, ...key, owner_id: user.id, owner_name: user.name, created_at: now }),
    )
    await writeReaders(db, key, readers)
    await logShared(call, key, 'report.create', { after: { ...content, readers } })
    return presentOne(call, await visibleReport(call, key.id))
  },

  updateReport: async (call) => {
    const { db, user, params, body, now } = call
    const { version, ...fields } = body
    const report = await visibleReport(call, params.reportId, true)
    const isMine = report.owner_id === user.id
    const content = contentOf(fields, report.time_zone, now)
    const isRescheduled = !isDeepStrictEqual(content.schedule, report.schedule)
    const readers = await colleaguesOf(
      call,
      { merchantId: report.merchant_id, ownerId: report.owner_id },
      body.readerIds.filter((id) => !report.readers.some(({ user_id }) => user_id === id)),
    )
    const kept = report.readers.filter(({ user_id }) => body.readerIds.includes(user_id))
    const isReadByOthers = readers.length > 0 || kept.length < report.readers.length
    // Only its owner decides who gets its mails, or may take it from the others.
    if (
      !isMine &&
      (!roleMay(user.role, 'report.manage') ||
        isRescheduled ||
        isReadByOthers ||
        !content.is_shared ||
        !report.is_shared)
    )
      throw new ProductError('Forbidden')
    const { next_at: _next, ...newReport } = content
    const { name, is_shared, definition, schedule } = report
    if (!isReadByOthers && isDeepStrictEqual(newReport, { name, is_shared, definition, schedule }))
      return presentOne(call, report)
    if (version !== report.version) return refuseOvertaken(call, subjectType, report.id, await presentOne(call, report))
    const after = isRescheduled ? content : { ...content, next_at: report.next_at }
    refuseTaken(await updateReport(db, report, after, isRescheduled))
    if (isReadByOthers) await writeReaders(db, report, [...kept, ...readers])
    await logShared(call, report, 'report.update', {
      before: report,
      after: { ...after, readers: [...kept, ...readers] },
    })
    return presentOne(call, await visibleReport(call, report.id))
  },

  deleteReport: async (call) => {
    const { db, user, params } = call
    const report = await visibleReport(call, params.reportId, true)
    const mayDelete = report.owner_id === user.id || (report.is_shared && roleMay(user.role, 'report.manage'))
    if (!mayDelete) throw new ProductError('Forbidden')
    await deleteReport(db, report)
    await logShared(call, report, 'report.delete', { before: report })
    return undefined
  },

  listReportColleagues: async ({ doors, db, user }) => {
    const users = await assignableUsers(
      doors,
      db.scope.map(({ merchantId }) => merchantId),
    )
    return users.filter(({ id }) => id !== user.id)
  },

  copyReport: async (call) => {
    const { db, user, params, body, now, live } = call
    const { name, definition, merchant_id } = await visibleReport(call, params.reportId)
    const colleagues = await colleaguesOf(call, { merchantId: merchant_id, ownerId: user.id }, body.userIds)
    const merchantDb = withinScope(db, [{ merchantId: merchant_id, groups: 'all' }])
    const content = { is_shared: false, definition, schedule: null, next_at: null }
    for (const { user_id, user_name } of colleagues) {
      const names = await reportNamesOf(merchantDb, user_id)
      if (names.length >= mostReports) throw new ProductError('TooManyReports')
      const owner = { owner_id: user_id, owner_name: user_name, created_at: now }
      refuseTaken(
        await insertReport(merchantDb, {
          ...content,
          ...owner,
          name: freeName(name, names),
          merchant_id,
          id: randomUUIDv7(),
        }),
      )
    }
    db.afterCommit(() => live.announce(merchant_id, 'report'))
    return undefined
  },

  leaveReport: async (call) => {
    const { db, user, params, live } = call
    const report = await visibleReport(call, params.reportId)
    await removeReader(db, report, user.id)
    db.afterCommit(() => live.announce(report.merchant_id, 'report'))
    return undefined
  },

  sendReport: async (call) => {
    const { db, user, params, now } = call
    const report = await visibleReport(call, params.reportId, true)
    if (report.owner_id !== user.id) throw new ProductError('Forbidden')
    await makeDue(db, report, now)
    return undefined
  },
}
