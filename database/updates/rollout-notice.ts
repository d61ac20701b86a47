import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { isOfOwnFeature } from './halted-rollout.ts'
import { findRollout } from './rollout.ts'

/** Mails sent in one pass; the next pass sends the rest. */
const mailsAtOnce = 200
/** Minutes to wait after each failed attempt; after the last one the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 360, 720]

interface Key {
  merchantId: string
  id: string
}

/** Halted rollouts of all merchants whose mails are not prepared yet. */
export const rolloutsWithNotice = (doors: Doors): Promise<Key[]> =>
  doors.withSystem(
    'rollout mail',
    (db) =>
      db
        .selectFrom('rollouts')
        .where('is_notice_due', '=', true)
        .select(['merchant_id as merchantId', 'id'])
        .limit(mailsAtOnce)
        .execute(),
    'single statement',
  )

/** Active users of a merchant whose role may resume rollouts. Which of them may resume this one is decided by their sight. */
export const usersWhoResume = (doors: Doors, merchantId: string): Promise<{ id: string; isAsking: boolean }[]> =>
  doors.withSystem(
    'rollout mail',
    (db) =>
      db
        .selectFrom('user_merchants')
        .innerJoin('users', 'users.id', 'user_merchants.user_id')
        .where('user_merchants.merchant_id', '=', merchantId)
        .where('users.status', '=', 'active')
        .where('users.role', 'in', [...rolesThatMay('firmwareRule.write')])
        .select(['users.id', 'users.receive_notifications as isAsking'])
        .orderBy('users.id')
        .execute(),
    'single statement',
  )

/** A rollout that is halted now, at a merchant with its feature; undefined otherwise. */
export async function findHalted(db: TenantDb, id: string, lock: 'none' | 'skip' = 'none') {
  const rollout = await findRollout(db, id, lock)
  if (rollout?.state !== 'halted' || !rollout.haltedAt || !rollout.halt) return undefined
  const { rows } = await sql<{ isOn: boolean }>`select ${isOfOwnFeature(db, 'r')} as "isOn" from rollouts r
    where ${db.own('r')} and r.merchant_id = ${rollout.merchantId} and r.id = ${id}`.execute(db.query)
  return rows[0]?.isOn ? { ...rollout, haltedAt: rollout.haltedAt, halt: rollout.halt } : undefined
}
export type Halted = NonNullable<Awaited<ReturnType<typeof findHalted>>>

/** Prepares the mails about a halt, one for each user. Two workers prepare them once. */
export async function writeNotices(db: TenantDb, halted: Halted, userIds: readonly string[], at: Date): Promise<void> {
  if (userIds.length === 0) return
  await db.query
    .insertInto('rollout_notices')
    .values(
      userIds.map((user_id) => ({
        merchant_id: halted.merchantId,
        rollout_id: halted.id,
        halted_at: halted.haltedAt,
        user_id,
        mail_id: randomUUIDv7(),
        next_attempt_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const clearNotice = (db: TenantDb, { merchantId, id }: Key) =>
  db.query
    .updateTable('rollouts')
    .set({ is_notice_due: false })
    .where(db.own('rollouts'))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute()

export interface Notice {
  merchant_id: string
  rollout_id: string
  halted_at: Date
  user_id: string
  mail_id: string
  attempts: number
}

/** Mails of all merchants that wait. */
export const waitingNotices = (doors: Doors, at: Date): Promise<Notice[]> =>
  doors.withSystem(
    'rollout mail',
    (db) =>
      db
        .selectFrom('rollout_notices')
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .where('next_attempt_at', '<=', at)
        .select(['merchant_id', 'rollout_id', 'halted_at', 'user_id', 'mail_id', 'attempts'])
        .orderBy('next_attempt_at')
        .limit(mailsAtOnce)
        .execute(),
    'single statement',
  )

/** Whether a mail still waits; it is locked until the transaction ends, so that any number of workers send it once. */
export async function holdNotice(db: TenantDb, notice: Notice): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select true as found from rollout_notices n
    where ${db.own('n')} and n.merchant_id = ${notice.merchant_id} and n.mail_id = ${notice.mail_id}
      and n.rollout_id = ${notice.rollout_id} and n.sent_at is null and n.given_up_at is null
    for update skip locked`.execute(db.query)
  return rows.length > 0
}

const set = (
  db: TenantDb,
  notice: Notice,
  columns: { sent_at?: Date; given_up_at?: Date; next_attempt_at?: Date; attempts?: number; failure?: string | null },
) =>
  db.query
    .updateTable('rollout_notices')
    .set(columns)
    .where(db.own('rollout_notices'))
    .where('merchant_id', '=', notice.merchant_id)
    .where('rollout_id', '=', notice.rollout_id)
    .where('mail_id', '=', notice.mail_id)
    .execute()

export const markNoticed = (db: TenantDb, notice: Notice, at: Date) => set(db, notice, { sent_at: at, failure: null })

export const giveUpNotice = (db: TenantDb, notice: Notice, at: Date, failure: string) =>
  set(db, notice, { given_up_at: at, failure })

export function retryNotice(db: TenantDb, notice: Notice, at: Date, error: unknown) {
  const failure = String(error instanceof Error ? error.message : error).slice(0, 500)
  const minutes = retryMinutes[notice.attempts]
  if (minutes === undefined) return giveUpNotice(db, notice, at, failure)
  const next_attempt_at = new Date(at.getTime() + minutes * 60_000)
  return set(db, notice, { attempts: notice.attempts + 1, failure, next_attempt_at })
}
