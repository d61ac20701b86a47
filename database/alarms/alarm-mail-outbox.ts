import { Language } from '#contract/vocabulary/world/languages.ts'
import { type AlarmMailKind, heldBackUntil } from '#domain/alarms/alarm-notice.ts'
import { settingOf } from '#domain/alarms/alarm-setting.ts'
import { among } from '../frame/conditions.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type AlarmReader, alarmReaders, sees } from './alarm-people.ts'
import { alarmSettings, settingsOf } from './alarm-setting.ts'

/** Mails sent in one pass; the next pass sends the rest. */
const mailsAtOnce = 500
/** Minutes to wait after each failed attempt; after the last one the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 360, 720]

/** An alarm as an alarm mail shows it. */
export interface MailedAlarm {
  kind: AlarmMailKind
  alarmId: string
  code: string
  criticity: number
  count: number
  message: string | null
  detail: string | null
  createdAt: Date
  machineId: string
  machineName: string
  /** The user who sent it, and the user's words; null of a notice. */
  sentBy: string | null
  note: string | null
}

export interface AlarmMail {
  id: string
  to: string
  /** Null for a bare address. */
  name: string | null
  language: Language
  merchant: { id: string; name: string; zone: string }
  alarms: MailedAlarm[]
}

/**
 * Sends every mail that is due. One transaction locks the mail's rows, sends it and marks it as sent, so that any number of processes
 * send it once. A process that dies in between sends the same mail again under the same id. Skipped are repaired alarms and machines that
 * the user cannot see now. Mail in quiet hours waits.
 */
export async function sendDueMails(doors: Doors, at: Date, send: (mail: AlarmMail) => Promise<void>): Promise<void> {
  const due = await doors.withSystem(
    'alarm mail',
    (db) =>
      db
        .selectFrom('alarm_notifications')
        .where('next_attempt_at', '<=', at)
        .where('mail_id', 'is not', null)
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .select(['merchant_id as merchantId', 'mail_id as id'])
        .distinct()
        .limit(mailsAtOnce)
        .execute(),
    'single statement',
  )
  for (const [merchantId, mails] of Map.groupBy(due, (mail) => mail.merchantId)) {
    const readers = await doors.withSystem('alarm mail', (db) => alarmReaders(db, merchantId), 'single statement')
    for (const { id } of mails)
      if (id !== null)
        await doors.withTenant([{ merchantId, groups: 'all' }], (db) => sendOne(db, { id, at, readers }, send))
  }
}

async function sendOne(
  db: TenantDb,
  { id, at, readers }: { id: string; at: Date; readers: readonly AlarmReader[] },
  send: (mail: AlarmMail) => Promise<void>,
): Promise<void> {
  const rows = await heldRows(db, id)
  const [first] = rows
  if (!first) return
  const reader = readers.find((one) => one.id === first.userId)
  const isTrue = (row: (typeof rows)[number]) =>
    row.repairedAt === null &&
    !row.hidden &&
    (row.userId === null || (reader !== undefined && sees(reader, row.groupId)))
  const settings = settingsOf(await alarmSettings(db), first.merchantId)
  const heldBack = (row: (typeof rows)[number]) =>
    // A mail that a user sends is not held back.
    isTrue(row) && row.kind !== 'assigned' ? heldBackUntil(row, settingOf(settings, row.code), at, row.zone) : null
  const alarms = rows.filter((row) => isTrue(row) && heldBack(row) === null)
  const ofMail = (only: readonly (typeof rows)[number][]) =>
    db.query
      .updateTable('alarm_notifications')
      .where(db.narrow('alarm_notifications'))
      .where('mail_id', '=', id)
      .where(
        among(
          'alarm_id',
          only.map((row) => row.alarmId),
          'uuid',
        ),
      )
  const untrue = rows.filter((row) => !isTrue(row))
  if (untrue.length > 0) await ofMail(untrue).set({ given_up_at: at, failure: 'no longer so' }).execute()
  // Quiet hours may have begun since the mail was gathered: move these alarms to the next mail.
  for (const [until, some] of Map.groupBy(rows, (row) => heldBack(row)?.getTime() ?? null))
    if (until !== null)
      await ofMail(some)
        .set({ mail_id: null, next_attempt_at: new Date(until) })
        .execute()
  if (alarms.length === 0) return
  try {
    await send({
      id,
      to: first.recipient,
      name: reader?.name ?? null,
      language: reader?.language ?? Language.safeParse(first.language).data ?? 'en',
      merchant: { id: first.merchantId, name: first.merchantName, zone: first.zone },
      alarms: alarms.map((row) => ({ ...row, kind: row.kind as AlarmMailKind })),
    })
  } catch (error) {
    const minutes = retryMinutes[first.attempts]
    await ofMail(alarms)
      .set({
        attempts: first.attempts + 1,
        failure: String(error instanceof Error ? error.message : error).slice(0, 500),
        ...(minutes === undefined
          ? { given_up_at: at }
          : { next_attempt_at: new Date(at.getTime() + minutes * 60_000) }),
      })
      .execute()
    return
  }
  await ofMail(alarms).set({ sent_at: at, failure: null }).execute()
}

const heldRows = (db: TenantDb, mailId: string) =>
  db
    .from('alarm_notifications')
    .innerJoin('alarms', (join) =>
      join
        .onRef('alarms.merchant_id', '=', 'alarm_notifications.merchant_id')
        .onRef('alarms.id', '=', 'alarm_notifications.alarm_id'),
    )
    .innerJoin('machines', (join) =>
      join.onRef('machines.merchant_id', '=', 'alarms.merchant_id').onRef('machines.id', '=', 'alarms.machine_id'),
    )
    .innerJoin('merchants', 'merchants.id', 'alarms.merchant_id')
    .where('alarm_notifications.mail_id', '=', mailId)
    .where('alarm_notifications.sent_at', 'is', null)
    .where('alarm_notifications.given_up_at', 'is', null)
    .select([
      'alarm_notifications.alarm_id as alarmId',
      'alarm_notifications.kind',
      'alarm_notifications.recipient',
      'alarm_notifications.user_id as userId',
      'alarm_notifications.attempts',
      'alarm_notifications.sent_by as sentBy',
      'alarm_notifications.note',
      'alarms.code',
      'alarms.criticity',
      'alarms.count',
      'alarms.message',
      'alarms.detail',
      'alarms.created_at as createdAt',
      'alarms.repaired_at as repairedAt',
      'alarms.machine_id as machineId',
      'machines.name as machineName',
      'machines.group_id as groupId',
      'machines.hidden',
      'merchants.id as merchantId',
      'merchants.name as merchantName',
      'merchants.time_zone as zone',
      'merchants.language',
    ])
    .orderBy('alarms.criticity', 'desc')
    .orderBy('alarms.created_at', 'desc')
    .forUpdate('alarm_notifications')
    .skipLocked()
    .execute()
