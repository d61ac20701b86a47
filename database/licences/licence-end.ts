import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import type { RecordKey } from '../frame/records.ts'
import type { Doors, SystemDb, TenantDb } from '../frame/tenant.ts'

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

type Ending = Omit<DueReminder, 'user_id'>

/** The last of the days for a reminder that is reached. */
const reachedDays = sql.join(
  [...reminderDays]
    .sort((one, other) => one - other)
    .map((days) => sql`when ending.left_days <= ${sql.lit(days)} then ${sql.lit(days)}`),
  sql` `,
)

/**
 * Confirmed and activated licences of all merchants that end soon. Of several passed days only the last counts, and only days that the
 * licence has lived through: a demo of ten days needs no mail on its first.
 */
const endingSoon = async (db: SystemDb, at: Date): Promise<Ending[]> =>
  (
    await sql<Ending>`
      select due.merchant_id, due.id, due.expires_on::text as expires_on, due.days from (
        select ending.*, case ${reachedDays} end as days from (
          select licences.merchant_id, licences.id, licences.expires_on, licences.expires_on - ${dayAt(at)} as left_days,
            (licences.created_at at time zone merchants.time_zone)::date as created_on
          from licences join merchants on merchants.id = licences.merchant_id
          where licences.status in (${sql.lit(licenceStatuses.confirmed)}, ${sql.lit(licenceStatuses.activated)})
        ) ending
        where ending.left_days between 0 and ${sql.lit(Math.max(...reminderDays))}
      ) due
      where due.expires_on - due.days >= due.created_on
      order by due.expires_on, due.id`.execute(db)
  ).rows

/** Who created these licences and is active, and who has a reminder of them already. */
async function knownOf(db: SystemDb, ending: readonly Ending[]) {
  const merchantIds = [...new Set(ending.map(({ merchant_id }) => merchant_id))]
  const ids = ending.map(({ id }) => id)
  const { rows: created } = await sql<{ licence_id: string; by_id: string }>`
    select e.licence_id, e.by_id from licence_events e
    where e.merchant_id = any(${merchantIds}::uuid[]) and e.licence_id = any(${ids}::uuid[]) and e.act = 'create' and e.by_id is not null`.execute(
    db,
  )
  const { rows: reminded } = await sql<ReminderKey>`
    select r.merchant_id, r.licence_id, r.expires_on::text as expires_on, r.days, r.user_id from licence_reminders r
    where r.merchant_id = any(${merchantIds}::uuid[]) and r.licence_id = any(${ids}::uuid[])`.execute(db)
  const { managersOf, active } = await usersOf(
    db,
    merchantIds,
    created.map(({ by_id }) => by_id),
  )
  return {
    managersOf,
    creatorsOf: Map.groupBy(
      created.filter(({ by_id }) => active.has(by_id)),
      ({ licence_id }) => licence_id,
    ),
    reminded: new Set(reminded.map((one) => keyOf({ ...one, id: one.licence_id }))),
  }
}

const keyOf = ({ merchant_id, id, expires_on, days, user_id }: DueReminder) =>
  [merchant_id, id, expires_on, days, user_id].join()

/** Active users who manage licences, by merchant, and those of the others who are active. Their sight counts when the mail is sent. */
async function usersOf(db: SystemDb, merchantIds: readonly string[], others: readonly string[]) {
  const { rows: managers } = await sql<{ merchant_id: string; id: string }>`
    select a.merchant_id, u.id from user_merchants a join users u on u.id = a.user_id
    where a.merchant_id = any(${merchantIds}::uuid[]) and u.status = 'active' and u.allow_licensing
      and u.role = any(${rolesThatMay('license.write')}::text[])`.execute(db)
  const { rows: active } = await sql<{ id: string }>`
    select u.id from users u where u.id = any(${others}::uuid[]) and u.status = 'active'`.execute(db)
  return {
    managersOf: Map.groupBy(managers, ({ merchant_id }) => merchant_id),
    active: new Set(active.map(({ id }) => id)),
  }
}

/** Reminders that are due and not yet written, the nearest end first: one for the end client and for each user who may know. */
const dueReminders = (doors: Doors, at: Date): Promise<DueReminder[]> =>
  doors.withSystem('licence terms', async (db) => {
    const ending = await endingSoon(db, at)
    if (ending.length === 0) return []
    const { managersOf, creatorsOf, reminded } = await knownOf(db, ending)
    const due = ending.flatMap((licence) => {
      const managers = managersOf.get(licence.merchant_id)?.map(({ id }) => id) ?? []
      const creators = creatorsOf.get(licence.id)?.map(({ by_id }) => by_id) ?? []
      return [...new Set([endClient, ...managers, ...creators])].map((user_id) => ({ ...licence, user_id }))
    })
    return due.filter((one) => !reminded.has(keyOf(one))).slice(0, atOnce)
  })

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
