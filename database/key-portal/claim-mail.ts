import { sql } from 'kysely'
import type { ClaimState } from '#contract/key-portal/claim.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** Mails sent in one pass; the next pass sends the rest. */
const mailsAtOnce = 200
/** Minutes to wait after each failed attempt; after the last one the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 720]

/** The answer to a claim, as its customer gets it. */
export interface ClaimMail {
  id: string
  to: string
  /** Null: a caller whose name is unknown. */
  name: string | null
  /** The customer's language, else the merchant's. */
  language: string
  merchant: string
  zone: string
  number: number
  state: Exclude<ClaimState, 'open'>
  answer: string | null
  machine: string
  happenedAt: Date
  refunded: number | null
  currency: Currency
  /** The address of the merchant's portal, if it is published. */
  slug: string | null
}

/**
 * Sends the answers that wait. One transaction locks a claim, sends the mail and marks it as sent, so that any number of processes send it once.
 * A customer without an address gets none. The contact of a caller is erased then.
 */
export async function sendClaimMails(doors: Doors, at: Date, send: (mail: ClaimMail) => Promise<void>): Promise<void> {
  const due = await doors.withSystem(
    'claim mail',
    (db) =>
      db
        .selectFrom('claims')
        .where('mail_due_at', '<=', at)
        .select(['merchant_id', 'id'])
        .orderBy('mail_due_at')
        .limit(mailsAtOnce)
        .execute(),
    'single statement',
  )
  for (const { merchant_id, id } of due)
    await doors.withTenant([{ merchantId: merchant_id, groups: 'all' }], (db) => sendOne(db, id, at, send))
}

async function sendOne(db: TenantDb, id: string, at: Date, send: (mail: ClaimMail) => Promise<void>): Promise<void> {
  const { rows } = await sql<ClaimMail & { attempts: number; merchantId: string }>`
    select claim.id, coalesce(customer.email, case when claim.contact like '%@%' then claim.contact end) as "to", customer.name, coalesce(customer.language, merchants.language) as language,
      merchants.name as merchant, merchants.time_zone as zone, claim.number, claim.state, claim.answer, machine.name as machine,
      claim.happened_at as "happenedAt", refund.amount as refunded, claim.currency, claim.mail_attempts as attempts,
      merchants.id as "merchantId", case when portal.is_published then portal.slug end as slug
    from claims claim
    join merchants on merchants.id = claim.merchant_id
    join machines machine on ${db.own('machine')} and machine.merchant_id = claim.merchant_id and machine.id = claim.machine_id
    left join customers customer on ${db.own('customer')} and customer.merchant_id = claim.merchant_id
      and customer.id = claim.customer_id
    left join refunds refund on ${db.own('refund')} and refund.merchant_id = claim.merchant_id and refund.id = claim.refund_id
    left join portal_settings portal on ${db.own('portal')} and portal.merchant_id = claim.merchant_id
    where ${db.own('claim')} and claim.id = ${id} and claim.mail_due_at <= ${at}
    for update of claim skip locked`.execute(db.query)
  const [mail] = rows
  if (!mail) return
  const set = (columns: {
    mail_due_at: Date | null
    mail_sent_at?: Date
    mail_attempts?: number
    mail_failure?: string
    contact?: null
  }) =>
    db.query
      .updateTable('claims')
      .set(columns)
      .where('merchant_id', '=', mail.merchantId)
      .where('id', '=', id)
      .execute()
  if (mail.to === null || mail.state === ('open' as string)) {
    await set({ mail_due_at: null, contact: null })
    return
  }
  try {
    await send(mail)
  } catch (error) {
    const minutes = retryMinutes[mail.attempts]
    await set({
      mail_attempts: mail.attempts + 1,
      mail_failure: String(error instanceof Error ? error.message : error).slice(0, 500),
      mail_due_at: minutes === undefined ? null : new Date(at.getTime() + minutes * 60_000),
      ...(minutes === undefined && { contact: null }),
    })
    return
  }
  await set({ mail_due_at: null, mail_sent_at: at, contact: null })
}
