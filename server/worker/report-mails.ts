import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ProductError } from '#contract/errors.ts'
import { sendFailures } from '#contract/insight/report.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors, Scope, TenantDb } from '#database/frame/tenant.ts'
import {
  dueReports,
  holdDueReport,
  noteReader,
  noteSend,
  type ReportRecord,
  type SendFailure,
} from '#database/insight/report.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { nextSend } from '#domain/insight/report-schedule.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { dayIn, type Period, periodOn } from '#domain/time/period.ts'
import { reportCsv } from '../api/insight/report-csv.ts'
import { reportPdf, reportTypesOfFiles, reportXlsx } from '../api/insight/report-files.ts'
import { reportOf } from '../api/insight/report-result.ts'
import { reportWords } from '../api/insight/report-words.ts'
import { type Principal, principalOf, scopeOf } from '../http/scope.ts'
import type { LiveHub } from '../live/hub.ts'
import { type Mail, type Message, writeLetter } from '../mail/mail.ts'

export interface ReportMailDeps {
  doors: Doors
  mail: Pick<Mail, 'send'>
  live: Pick<LiveHub, 'announce'>
  log: Pick<Logger, 'error'>
  config: { publicUrl: string }
}

/** Reports of one pass; the next pass sends the rest. */
const atOnce = 50
/** Minutes to wait after each failed attempt; after the last one this mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180]

const isFailure = (code: string): code is SendFailure => (sendFailures as readonly string[]).includes(code)

/**
 * Mails every report that is due to its owner and its readers, each with the rights, the language and the scope that they have now. One
 * transaction locks the report, sends it and plans the next mail, so that any number of workers send it once. A worker that dies in between
 * leaves the report due; the mails are sent again under the same ids, and a mailbox shows each once. A mail that the mail server refused is
 * tried again for its reader alone.
 */
export async function mailReports(deps: ReportMailDeps, at: Date): Promise<void> {
  const { doors, live } = deps
  for (const { merchantId, id } of await dueReports(doors, at, atOnce)) {
    await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
      const report = await holdDueReport(db, id, at)
      if (!report) return
      const minutes = retryMinutes[report.tries]
      const owner = await sendTo(deps, report, ownerIn(report), at)
      await noteSend(db, report, await sendToReaders(deps, db, report, { at, owner, minutes }))
      db.afterCommit(() => live.announce(merchantId, 'report'))
    })
    // Let other tasks of this process run.
    await pause(0)
  }
}

/** Who gets the mail of a report. */
interface Recipient {
  userId: string
  isOwner: boolean
  settled_for: Date | null
  failure: SendFailure | null
}
const ownerIn = ({ owner_id, settled_for, failure }: ReportRecord): Recipient => ({
  userId: owner_id,
  isOwner: true,
  settled_for,
  failure,
})

/** The outcome of a recipient's mail: settled unless the mail server refused it. */
interface Outcome {
  failure: SendFailure | null
  isSent: boolean
  isRefused: boolean
}

/** Sends the mail to a recipient, unless this mail was settled by an earlier try. */
async function sendTo(deps: ReportMailDeps, report: ReportRecord, recipient: Recipient, at: Date): Promise<Outcome> {
  const isSettled = recipient.settled_for !== null && recipient.settled_for.getTime() === report.next_at?.getTime()
  if (isSettled) return { failure: recipient.failure, isSent: false, isRefused: false }
  const failure = await sendOne(deps, report, recipient, at)
  return { failure: failure ?? null, isSent: failure === undefined, isRefused: failure === 'MailRefused' }
}

/** Sends the mail to the readers and stores their outcomes. Returns that of the report: when its next mail is due, or this one is tried again. */
async function sendToReaders(
  deps: ReportMailDeps,
  db: TenantDb,
  report: ReportRecord,
  { at, owner, minutes }: { at: Date; owner: Outcome; minutes: number | undefined },
) {
  const settledFor = ({ isRefused }: Outcome) => (isRefused && minutes !== undefined ? null : report.next_at)
  let isRefused = owner.isRefused
  for (const reader of report.readers) {
    const { user_id, settled_for, failure } = reader
    const outcome = await sendTo(deps, report, { userId: user_id, isOwner: false, settled_for, failure }, at)
    isRefused ||= outcome.isRefused
    await noteReader(db, report, { user_id, settled_for: settledFor(outcome), failure: outcome.failure })
  }
  const isTriedAgain = isRefused && minutes !== undefined
  const next = report.schedule && nextSend(report.schedule, at, report.time_zone)
  return {
    next_at: isTriedAgain ? report.next_at : next,
    try_at: isTriedAgain ? new Date(at.getTime() + minutes * 60_000) : next,
    tries: isTriedAgain ? report.tries + 1 : 0,
    failure: owner.failure,
    settled_for: settledFor(owner),
    ...(owner.isSent && { last_sent_at: at }),
  }
}

/** The id of a mail follows from the report, its time and its reader, so that a repeated mail has the same id. */
function idOf({ id, next_at }: ReportRecord, { userId, isOwner }: Recipient): string {
  const facts = [id, next_at?.toISOString(), ...(isOwner ? [] : [userId])]
  const hash = createHash('sha256').update(facts.join(' ')).digest('hex')
  const variant = ((Number.parseInt(hash[16] ?? '0', 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** Sends one report to one user. Returns why it was not sent, or undefined. */
async function sendOne(
  deps: ReportMailDeps,
  report: ReportRecord,
  recipient: Recipient,
  at: Date,
): Promise<SendFailure | undefined> {
  let message: Message
  try {
    message = await messageOf(deps, report, recipient, at)
  } catch (error) {
    if (error instanceof ProductError && error.code === 'ReportPdfFailed')
      deps.log.error({ err: error.cause, report: report.id }, 'The PDF of a report could not be created')
    if (error instanceof ProductError && isFailure(error.code)) return error.code
    if (error instanceof ProductError) return 'MerchantNotFoundException'
    deps.log.error({ err: error, report: report.id }, 'A report could not be written')
    return 'ReportPdfFailed'
  }
  try {
    await deps.mail.send(message)
  } catch {
    return 'MailRefused'
  }
  return undefined
}

const daysOf = ({ definition, time_zone }: ReportRecord, at: Date): Period => {
  const { preset, startDate, endDate } = definition
  if (preset) return periodOn(preset, dayIn(at, time_zone))
  return { startDate: startDate ?? dayIn(at, time_zone), endDate: endDate ?? dayIn(at, time_zone) }
}

/** A recipient and their share of the report's merchant, as they are now. */
async function readerOf(
  doors: Doors,
  report: ReportRecord,
  { userId }: Recipient,
): Promise<{ reader: Principal; scope: Scope }> {
  const record = await findPrincipalById(doors, userId)
  const reader = principalOf(record, record?.role ?? null)
  if (!userMay(reader, 'report.read')) throw new ProductError('UnauthorizedUserException')
  return { reader, scope: scopeOf(reader, report.merchant_id) }
}

async function messageOf(
  { doors, config }: ReportMailDeps,
  saved: ReportRecord,
  recipient: Recipient,
  at: Date,
): Promise<Message> {
  const { reader, scope } = await readerOf(doors, saved, recipient)
  const language = (reader.language as Language | null) ?? 'en'
  const days = daysOf(saved, at)
  const { type, by, parameter, compare, preset, groupIds, clientIds, posIds, terms } = saved.definition
  const { figures, pivot, ord, ordType, ordKey } = saved.definition
  const query = {
    ...days,
    preset: preset ?? undefined,
    type,
    by,
    parameter: parameter ?? undefined,
    compare: compare ?? undefined,
    groupIds,
    clientIds,
    posIds,
    terms,
    figures,
    pivot: pivot ?? undefined,
    ord: ord ?? undefined,
    ordType,
    ordKey: ordKey ?? undefined,
  }
  const report = await doors
    .withTenant(scope, (db) => reportOf(db, query, { role: reader.role, now: at, language }), 'read')
    .catch((error: unknown) => {
      if (error instanceof ProductError && error.code === 'ReportWithoutData') return undefined
      throw error
    })
  const words = reportWords(language, { parameter })
  const { t } = words
  const facts = { name: saved.name, merchant: saved.merchant_name, period: words.period(days) }
  const address = new URLSearchParams({ merchant: saved.merchant_id, report: saved.id })
  const letter = writeLetter({
    language,
    subject: t('mail.subject', facts),
    paragraphs: [t('mail.greeting', { name: reader.name }), t(report ? 'mail.lead' : 'mail.noData', facts)],
    button: { label: t('mail.button'), href: `${config.publicUrl}/transactions/reports/result?${address}` },
    after: t(recipient.isOwner ? 'mail.after' : 'mail.afterReader', { zone: saved.time_zone }),
  })
  const message = { id: idOf(saved, recipient), to: reader.email, ...letter }
  if (!report) return message
  const paper = {
    report,
    title: saved.name,
    language,
    merchant: saved.merchant_name,
    isAll: false,
    timeZone: saved.time_zone,
    now: at,
  }
  const name = `${saved.name} ${days.startDate} ${days.endDate}`.replace(/[^\p{L}\p{N} ._-]/gu, '').trim()
  return {
    ...message,
    attachments: [
      { name: `${name}.pdf`, type: reportTypesOfFiles.pdf, bytes: await reportPdf(paper) },
      { name: `${name}.xlsx`, type: reportTypesOfFiles.xlsx, bytes: await reportXlsx(paper) },
      { name: `${name}.csv`, type: reportTypesOfFiles.csv, bytes: reportCsv(paper) },
    ],
  }
}
