import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ProductError } from '#contract/errors.ts'
import { sendFailures } from '#contract/insight/report.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors, Scope } from '#database/frame/tenant.ts'
import { dueReports, holdDueReport, noteSend, type ReportRecord, type SendFailure } from '#database/insight/report.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { nextSend } from '#domain/insight/report-schedule.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { dayIn, type Period, periodOn } from '#domain/time/period.ts'
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
 * Mails every report that is due to its owner, with the rights, the language and the scope that the owner has now. One transaction locks
 * the report, sends it and plans the next mail, so that any number of workers send it once. A worker that dies in between leaves the report
 * due; the mail is sent again under the same id, and a mailbox shows it once.
 */
export async function mailReports(deps: ReportMailDeps, at: Date): Promise<void> {
  const { doors, live } = deps
  for (const { merchantId, id } of await dueReports(doors, at, atOnce)) {
    await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
      const report = await holdDueReport(db, id, at)
      if (!report) return
      const failure = await sendOne(deps, report, at)
      const next = report.schedule && nextSend(report.schedule, at, report.time_zone)
      const minutes = failure === 'MailRefused' ? retryMinutes[report.tries] : undefined
      await noteSend(
        db,
        report,
        minutes === undefined
          ? { next_at: next, try_at: next, tries: 0, failure: failure ?? null, ...(!failure && { last_sent_at: at }) }
          : {
              next_at: report.next_at,
              try_at: new Date(at.getTime() + minutes * 60_000),
              tries: report.tries + 1,
              failure: 'MailRefused',
            },
      )
      db.afterCommit(() => live.announce(merchantId, 'report'))
    })
    // Let other tasks of this process run.
    await pause(0)
  }
}

/** The id of a mail follows from the report and its time, so that a repeated mail has the same id. */
function idOf({ id, next_at }: ReportRecord): string {
  const hash = createHash('sha256').update(`${id} ${next_at?.toISOString()}`).digest('hex')
  const variant = ((Number.parseInt(hash[16] ?? '0', 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** Sends one report. Returns why it was not sent, or undefined. */
async function sendOne(deps: ReportMailDeps, report: ReportRecord, at: Date): Promise<SendFailure | undefined> {
  let message: Message
  try {
    message = await messageOf(deps, report, at)
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

/** The owner and their share of the report's merchant, as they are now. */
async function ownerOf(doors: Doors, report: ReportRecord): Promise<{ owner: Principal; scope: Scope }> {
  const record = await findPrincipalById(doors, report.owner_id)
  const owner = principalOf(record, record?.role ?? null)
  if (!userMay(owner, 'report.read')) throw new ProductError('UnauthorizedUserException')
  return { owner, scope: scopeOf(owner, report.merchant_id) }
}

async function messageOf({ doors, config }: ReportMailDeps, saved: ReportRecord, at: Date): Promise<Message> {
  const { owner, scope } = await ownerOf(doors, saved)
  const language = (owner.language as Language | null) ?? 'en'
  const days = daysOf(saved, at)
  const { type, by, parameter, compare, preset, groupIds, clientIds, posIds, terms } = saved.definition
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
  }
  const report = await doors
    .withTenant(scope, (db) => reportOf(db, query, { role: owner.role, now: at }), 'read')
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
    paragraphs: [t('mail.greeting', { name: owner.name }), t(report ? 'mail.lead' : 'mail.noData', facts)],
    button: { label: t('mail.button'), href: `${config.publicUrl}/transactions/reports/result?${address}` },
    after: t('mail.after', { zone: saved.time_zone }),
  })
  const message = { id: idOf(saved), to: owner.email, ...letter }
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
    ],
  }
}
