import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import type { RecordKey } from '../frame/records.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** Licences handled in one pass; the next pass handles the rest. */
const atOnce = 500
/** Minutes to wait after each failed attempt; after the last one the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 360, 720]
/** A mail reminds this many days before the end. */
export const reminderDays = [30, 7] as const

const dayAt = (at: Date) => sql`(${at}::timestamptz at time zone merchants.time_zone)::date`

/** Licences of all merchants whose last day is over, without expired and unassigned licences. */
export const endedLicences = (doors: Doors, at: Date): Promise<RecordKey[]> =>
  doors.withSystem(
    'licence terms',
    async (db) => {
      const { rows } = await sql<RecordKey>`
        select licences.merchant_id, licences.id from licences join merchants on merchants.id = licences.merchant_id
        where licences.status < ${sql.lit(licenceStatuses.unassigned)} and licences.expires_on < ${dayAt(at)}
        order by licences.expires_on, licences.id limit ${atOnce}`.execute(db)
      return rows
    },
    'single statement',
  )

/** As a recipient of reminders: the end client, who is no user. */
export const endClient = '00000000-0000-0000-0000-000000000000'

interface DueReminder extends RecordKey {
  expires_on: string
  days: number
  user_id: string
}

/** Active users who manage licences at the merchant of a licence, and its creator. Their sight counts when the mail is sent. */
const usersOf = sql`
  select u.id from user_merchants a join users u on u.id = a.user_id
  where a.merchant_id = licences.merchant_id and u.status = 'active' and u.allow_licensing
    and u.role = any(${sql.val(rolesThatMay('license.write'))}::text[])
  union
  select u.id from licence_events e join users u on u.id = e.by_id
  where e.merchant_id = licences.merchant_id and e.licence_id = licences.id and e.act = 'create' and u.status = 'active'`

/**
 * Confirmed and activated licences of all merchants that end soon and have no reminder of it yet. Of several passed days only the last counts,
 * and only days that the licence has lived through: a demo of ten days needs no mail on its first. The end client and users have one each.
 */
const dueReminders = (doors: Doors, at: Date): Promise<DueReminder[]> =>
  doors.withSystem(
    'licence terms',
    async (db) => {
      const { rows } = await sql<DueReminder>`
        select licences.merchant_id, licences.id, licences.expires_on::text as expires_on, due.days, recipient.user_id
        from licences join merchants on merchants.id = licences.merchant_id
        cross join lateral (
          select min(days) as days from unnest(${[...reminderDays]}::int[]) as days
          where licences.expires_on - ${dayAt(at)} <= days
        ) due
        cross join lateral (select ${endClient}::uuid as user_id union all select id from (${usersOf}) u) recipient
        where licences.status in (${sql.lit(licenceStatuses.confirmed)}, ${sql.lit(licenceStatuses.activated)}) and licences.expires_on >= ${dayAt(at)}
          and licences.expires_on - due.days >= (licences.created_at at time zone merchants.time_zone)::date
          and not exists (select 1 from licence_reminders reminder where reminder.merchant_id = licences.merchant_id
            and reminder.licence_id = licences.id and reminder.expires_on = licences.expires_on and reminder.days = due.days
            and reminder.user_id = recipient.user_id)
        order by licences.expires_on, licences.id, recipient.user_id limit ${atOnce}`.execute(db)
      return rows
    },
    'single statement',
  )

/** Writes the reminders that are due, each once: of two workers the first writes it. */
export async function planReminders(doors: Doors, at: Date): Promise<void> {
  const due = await dueReminders(doors, at)
  for (const [merchantId, rows] of Map.groupBy(due, ({ merchant_id }) => merchant_id))
    await doors.withTenant([{ merchantId, groups: 'all' }], (db) =>
      db.query
        .insertInto('licence_reminders')
        .values(
          rows.map(({ merchant_id, id, expires_on, days, user_id }) => ({
            merchant_id,
            licence_id: id,
            expires_on,
            days,
            user_id,
            mail_id: randomUUIDv7(),
            next_attempt_at: at,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
}

export interface Reminder {
  merchant_id: string
  licence_id: string
  expires_on: string
  days: number
  user_id: string
  mail_id: string
  attempts: number
}

export type ReminderKey = Pick<Reminder, 'merchant_id' | 'licence_id' | 'expires_on' | 'days' | 'user_id'>

export const waitingReminders = (doors: Doors, at: Date): Promise<ReminderKey[]> =>
  doors.withSystem(
    'licence terms',
    (db) =>
      db
        .selectFrom('licence_reminders')
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .where('next_attempt_at', '<=', at)
        .select(['merchant_id', 'licence_id', 'days', 'user_id'])
        .select(sql<string>`expires_on::text`.as('expires_on'))
        .limit(atOnce)
        .execute(),
    'single statement',
  )

const of = (db: TenantDb, { merchant_id, licence_id, expires_on, days, user_id }: ReminderKey) =>
  db.query
    .updateTable('licence_reminders')
    .where('merchant_id', '=', merchant_id)
    .where('licence_id', '=', licence_id)
    .where('days', '=', days)
    .where('user_id', '=', user_id)
    .where(sql<boolean>`expires_on = ${expires_on}::date`)

/** A reminder that waits, locked until the transaction ends; undefined if another worker sends it or has sent it. */
export async function holdReminder(db: TenantDb, key: ReminderKey): Promise<Reminder | undefined> {
  const row = await db
    .from('licence_reminders')
    .where('licence_reminders.merchant_id', '=', key.merchant_id)
    .where('licence_reminders.licence_id', '=', key.licence_id)
    .where('licence_reminders.days', '=', key.days)
    .where('licence_reminders.user_id', '=', key.user_id)
    .where(sql<boolean>`licence_reminders.expires_on = ${key.expires_on}::date`)
    .where('licence_reminders.sent_at', 'is', null)
    .where('licence_reminders.given_up_at', 'is', null)
    .select(['mail_id', 'attempts'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && { ...key, ...row }
}

export const markReminded = (db: TenantDb, reminder: ReminderKey, at: Date) =>
  of(db, reminder).set({ sent_at: at, failure: null }).execute()

export const giveUpReminder = (db: TenantDb, reminder: ReminderKey, at: Date, failure: string) =>
  of(db, reminder).set({ given_up_at: at, failure }).execute()

export async function retryReminder(db: TenantDb, reminder: Reminder, at: Date, error: unknown) {
  const failure = String(error instanceof Error ? error.message : error).slice(0, 500)
  const minutes = retryMinutes[reminder.attempts]
  if (minutes === undefined) return giveUpReminder(db, reminder, at, failure)
  const next_attempt_at = new Date(at.getTime() + minutes * 60_000)
  return of(db, reminder)
    .set({ attempts: reminder.attempts + 1, failure, next_attempt_at })
    .execute()
}
