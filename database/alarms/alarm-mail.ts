import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type Notice, nextNotice, type SentMails, sentAfter } from '#domain/alarms/alarm-notice.ts'
import { type AlarmSetting, settingOf } from '#domain/alarms/alarm-setting.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type AlarmReader, alarmReaders, sees } from './alarm-people.ts'
import { alarmSettings, settingsOf } from './alarm-setting.ts'

/** Alarms of one transaction. */
const pageSize = 200
/** If no one can receive the notice, try again after this time. */
const retryMs = 3_600_000
/** Notices planned within this time share one mail. */
const digestMs = 2 * 60_000

const wholeOf = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** Takes the merchant's lock until the transaction ends; false if another process holds it. */
async function isMine(db: TenantDb, merchantId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('gettone.alarm-mail'), hashtext(${merchantId})) as mine`.execute(db.query)
  return rows[0]?.mine ?? false
}

/** Plans the notices of open alarms and their recipients. The key of a notice prevents duplicates. */
export async function planNotices(doors: Doors, at: Date): Promise<void> {
  const due = await doors.withSystem(
    'alarm mail',
    (db) =>
      db
        .selectFrom('alarms')
        .where('notice_at', '<=', at)
        .where('status', 'in', ['active', 'notification'])
        .select('merchant_id as id')
        .distinct()
        .execute(),
    'single statement',
  )
  for (const { id } of due) {
    const readers = await doors.withSystem('alarm mail', (db) => alarmReaders(db, id), 'single statement')
    for (let count = pageSize; count === pageSize; )
      count = await doors.withTenant(wholeOf(id), (db) => planPage(db, id, readers, at))
  }
}

type DueAlarm = Awaited<ReturnType<typeof dueAlarms>>[number]

const dueAlarms = (db: TenantDb, at: Date) =>
  db
    .from('alarms')
    .innerJoin('machines', (join) =>
      join.onRef('machines.merchant_id', '=', 'alarms.merchant_id').onRef('machines.id', '=', 'alarms.machine_id'),
    )
    .innerJoin('merchants', 'merchants.id', 'alarms.merchant_id')
    .where('alarms.notice_at', '<=', at)
    .where('alarms.status', 'in', ['active', 'notification'])
    // A hidden machine sends no mail until it is shown again.
    .where('machines.hidden', '=', false)
    .select([
      'alarms.merchant_id as merchantId',
      'alarms.machine_id as machineId',
      'alarms.id',
      'alarms.code',
      'alarms.criticity',
      'alarms.created_at as createdAt',
      'alarms.acknowledged_until as acknowledgedUntil',
      'machines.group_id as groupId',
      'merchants.time_zone as zone',
    ])
    .select(
      sql<SentMails | null>`(select json_build_object('lastAt', max(n.planned_at) filter (where n.kind in ('raised', 'reminder')),
          'reminders', count(distinct n.number) filter (where n.kind = 'reminder'),
          'isEscalated', bool_or(n.kind = 'escalation'))
        from alarm_notifications n where ${db.own('n')} and n.merchant_id = alarms.merchant_id and n.alarm_id = alarms.id
        having count(*) > 0)`.as('sentMails'),
    )
    .orderBy('alarms.notice_at')
    .limit(pageSize)
    .execute()

/** Returns how many alarms were checked. */
async function planPage(db: TenantDb, merchantId: string, readers: readonly AlarmReader[], at: Date): Promise<number> {
  if (!(await isMine(db, merchantId))) return 0
  const settings = settingsOf(await alarmSettings(db), merchantId)
  const alarms = await dueAlarms(db, at)
  for (const alarm of alarms) await planOne(db, alarm, settingOf(settings, alarm.code), readers, at)
  return alarms.length
}

async function planOne(
  db: TenantDb,
  alarm: DueAlarm,
  setting: AlarmSetting,
  readers: readonly AlarmReader[],
  at: Date,
): Promise<void> {
  const around = { zone: alarm.zone, now: at }
  let sentMails: SentMails = alarm.sentMails
    ? { ...alarm.sentMails, lastAt: alarm.sentMails.lastAt && new Date(alarm.sentMails.lastAt) }
    : { lastAt: null, reminders: 0, isEscalated: false }
  let next = nextNotice(alarm, setting, sentMails, around)
  let hasNoRecipient = false
  while (next && next.at <= at) {
    const recipients = recipientsOf(next, alarm, setting, readers)
    await insertRows(
      db.query,
      'alarm_notifications',
      [
        'merchant_id',
        'alarm_id',
        'kind',
        'number',
        'recipient',
        'machine_id',
        'user_id',
        'planned_at',
        'next_attempt_at',
      ],
      recipients.map(({ address, userId }) => [
        alarm.merchantId,
        alarm.id,
        next?.kind,
        next?.number,
        address,
        alarm.machineId,
        userId,
        at,
        at,
      ]),
      'on conflict do nothing',
    )
    if (next.kind === 'raised' && recipients.length === 0) hasNoRecipient = true
    sentMails = sentAfter(sentMails, next, at)
    next = nextNotice(alarm, setting, sentMails, around)
  }
  await db.query
    .updateTable('alarms')
    .set({ notice_at: hasNoRecipient ? new Date(at.getTime() + retryMs) : (next?.at ?? null) })
    .where(db.narrow('alarms'))
    .where('id', '=', alarm.id)
    .execute()
}

/** The recipients: users who see the machine, each address once. */
function recipientsOf(
  { kind }: Notice,
  { groupId }: { groupId: string | null },
  setting: AlarmSetting,
  readers: readonly AlarmReader[],
): { address: string; userId: string | null }[] {
  const isEscalation = kind === 'escalation'
  const users = readers.filter((reader) => {
    const isNamed = isEscalation ? setting.escalationPeople.includes(reader.id) : setting.toPeople && reader.isAsking
    return isNamed && sees(reader, groupId)
  })
  const addresses = isEscalation ? setting.escalationAddresses : setting.addresses
  const all = [
    ...addresses.map((address) => ({ address: address.toLowerCase(), userId: null })),
    ...users.map(({ email, id }) => ({ address: email, userId: id })),
  ]
  return [...new Map(all.map((one) => [one.address, one])).values()]
}

/** Gathers waiting notices into mails, one per recipient and merchant, once the oldest notice has waited long enough for others. */
export async function gatherMails(doors: Doors, at: Date): Promise<void> {
  const merchants = await doors.withSystem(
    'alarm mail',
    (db) =>
      db
        .selectFrom('alarm_notifications')
        .where('mail_id', 'is', null)
        .where('next_attempt_at', '<=', at)
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .select('merchant_id as id')
        .distinct()
        .execute(),
    'single statement',
  )
  for (const { id } of merchants)
    await doors.withTenant(wholeOf(id), async (db) => {
      if (!(await isMine(db, id))) return
      const waiting = await db
        .from('alarm_notifications')
        .where('mail_id', 'is', null)
        .where('next_attempt_at', '<=', at)
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .groupBy('recipient')
        .having(({ fn }) => fn.min('planned_at'), '<=', new Date(at.getTime() - digestMs))
        .select('recipient')
        .execute()
      for (const { recipient } of waiting)
        await db.query
          .updateTable('alarm_notifications')
          .set({ mail_id: randomUUIDv7() })
          .where(db.narrow('alarm_notifications'))
          .where('recipient', '=', recipient)
          .where('mail_id', 'is', null)
          .where('next_attempt_at', '<=', at)
          .where('sent_at', 'is', null)
          .where('given_up_at', 'is', null)
          .execute()
    })
}
