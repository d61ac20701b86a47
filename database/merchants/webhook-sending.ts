import { sql } from 'kysely'
import { webhookDays } from '#contract/merchants/webhook.ts'
import type { SentEvent, WebhookFault } from '#contract/merchants/webhook-vocabulary.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { noteToAdmins } from '../platform/staff-letter.ts'

export interface WebhookKey {
  merchantId: string
  id: string
}

const whole = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** Webhooks of all merchants with messages that are due. Those of an ended demo wait. */
export const readyWebhooks = (doors: Doors, at: Date): Promise<WebhookKey[]> =>
  doors.withSystem(
    'webhooks',
    async (db) => {
      const { rows } = await sql<WebhookKey>`select w.merchant_id as "merchantId", w.id
        from webhooks w join merchants on merchants.id = w.merchant_id
        where w.is_enabled and w.secret is not null and (w.retry_at is null or w.retry_at <= ${at})
          and not demo_is_over(merchants.is_demo, merchants.demo_expires_on, merchants.time_zone)
          and exists (select 1 from webhook_messages m where m.merchant_id = w.merchant_id and m.webhook_id = w.id
            and m.state = 'waiting' and m.next_attempt_at <= ${at})`.execute(db)
      return rows
    },
    'single statement',
  )

/** A message that is to be sent, as it is stored. */
export interface DueMessage {
  id: string
  event: SentEvent
  at: Date
  data: string
  attempts: number
  /** The traceparent of what caused the event; null where nothing was traced. */
  trace: string | null
}

/** Messages that this process sends now, and their receiver. */
export interface Claimed {
  url: string
  currency: Currency
  /** Sealed. Those that sign: the newest, and the one before while it is valid. */
  secrets: string[]
  /** Attempts that all failed until now. */
  failures: number
  messages: DueMessage[]
}

/**
 * Takes due messages of a webhook, the oldest first. Until `leaseMs` are over no other process takes them; a process that dies loses
 * nothing, since they are due again then. A receiver that fails gets one.
 */
export const claimMessages = (
  doors: Doors,
  { merchantId, id }: WebhookKey,
  { at, most, leaseMs }: { at: Date; most: number; leaseMs: number },
): Promise<Claimed | undefined> =>
  doors.withTenant(whole(merchantId), async (db) => {
    const webhook = await db
      .from('webhooks')
      .innerJoin('merchants', 'merchants.id', 'webhooks.merchant_id')
      .where('webhooks.merchant_id', '=', merchantId)
      .where('webhooks.id', '=', id)
      .where('webhooks.is_enabled', '=', true)
      .select(['webhooks.url', 'webhooks.secret', 'webhooks.former_secret', 'webhooks.former_until'])
      .select(['webhooks.failures', 'webhooks.retry_at', 'merchants.currency'])
      .executeTakeFirst()
    if (!webhook?.secret || (webhook.retry_at && webhook.retry_at > at)) return undefined
    const messages = await db
      .from('webhook_messages')
      .where('webhook_messages.merchant_id', '=', merchantId)
      .where('webhook_messages.webhook_id', '=', id)
      .where('webhook_messages.state', '=', 'waiting')
      .where('webhook_messages.next_attempt_at', '<=', at)
      .select(['webhook_messages.id', 'webhook_messages.event', 'webhook_messages.at'])
      .select(['webhook_messages.data', 'webhook_messages.attempts', 'webhook_messages.trace'])
      .orderBy('webhook_messages.next_attempt_at')
      .orderBy('webhook_messages.id')
      .limit(webhook.failures > 0 ? 1 : most)
      .forNoKeyUpdate('webhook_messages')
      .skipLocked()
      .execute()
    const ids = messages.map((message) => message.id)
    if (ids.length > 0)
      await sql`update webhook_messages set next_attempt_at = ${new Date(at.getTime() + leaseMs)}
        where ${db.own('webhook_messages')} and merchant_id = ${merchantId} and webhook_id = ${id}
          and id = any(${ids}::uuid[])`.execute(db.query)
    const { url, currency, secret, former_secret: former, former_until: until, failures } = webhook
    return {
      url,
      currency: currency as Currency,
      secrets: [secret, ...(former && until && until > at ? [former] : [])],
      failures,
      messages: messages as DueMessage[],
    }
  })

/** How one attempt ended. `nextAt`: when the message is sent again; null: it is given up or accepted. */
export interface Attempt {
  id: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  nextAt: Date
  attemptedAt: Date
  status: number | null
  fault: WebhookFault | null
  answer: string | null
  millis: number
}

/** Stores how attempts ended, and how it goes for the webhook. Returns since when it fails. */
export const writeAttempts = (
  doors: Doors,
  { merchantId, id }: WebhookKey,
  attempts: readonly Attempt[],
  outcome: { isWorking: true } | { isWorking: false; at: Date; retryAt: Date },
): Promise<Date | null> =>
  doors.withTenant(whole(merchantId), async (db) => {
    const column = <V>(of: (attempt: Attempt) => V) => attempts.map(of)
    await sql`update webhook_messages set state = news.state, attempts = news.attempts, next_attempt_at = news.next_at,
        attempted_at = news.attempted_at, status = news.status, fault = news.fault, answer = news.answer, millis = news.millis
      from unnest(${column((one) => one.id)}::uuid[], ${column(({ state }) => state)}::text[],
        ${column((one) => one.attempts)}::int[], ${column(({ nextAt }) => nextAt)}::timestamptz[],
        ${column(({ attemptedAt }) => attemptedAt)}::timestamptz[], ${column(({ status }) => status)}::int[],
        ${column(({ fault }) => fault)}::text[], ${column(({ answer }) => answer)}::text[],
        ${column(({ millis }) => millis)}::int[])
        as news (id, state, attempts, next_at, attempted_at, status, fault, answer, millis)
      where ${db.own('webhook_messages')} and webhook_messages.merchant_id = ${merchantId}
        and webhook_messages.webhook_id = ${id} and webhook_messages.id = news.id`.execute(db.query)
    return outcome.isWorking ? noteWorking(db, id) : noteFailing(db, id, outcome)
  })

async function noteWorking(db: TenantDb, id: string): Promise<null> {
  await sql`update webhooks set failing_since = null, failures = 0, retry_at = null
    where ${db.own('webhooks')} and webhooks.id = ${id} and webhooks.failures > 0`.execute(db.query)
  return null
}

async function noteFailing(db: TenantDb, id: string, { at, retryAt }: { at: Date; retryAt: Date }) {
  const { rows } = await sql<{ since: Date }>`update webhooks set failing_since = coalesce(failing_since, ${at}),
      failures = failures + 1, retry_at = ${retryAt}
    where ${db.own('webhooks')} and webhooks.id = ${id} returning failing_since as since`.execute(db.query)
  return rows[0]?.since ?? null
}

/** Lets messages that were taken and not sent be taken again. */
export const releaseMessages = (doors: Doors, { merchantId, id }: WebhookKey, ids: readonly string[], at: Date) =>
  doors.withTenant(whole(merchantId), async (db) => {
    await sql`update webhook_messages set next_attempt_at = ${at}
      where ${db.own('webhook_messages')} and merchant_id = ${merchantId} and webhook_id = ${id}
        and id = any(${ids}::uuid[])`.execute(db.query)
  })

/** Messages deleted at once. */
const sweptAtOnce = 10_000

/** Deletes messages that are older than they are kept. Returns their number. */
export async function sweepMessages(doors: Doors, now: Date): Promise<number> {
  const before = new Date(now.getTime() - webhookDays * 86_400_000)
  for (let swept = 0; ; ) {
    const gone = await doors.withSystem(
      'webhooks',
      async (db) => {
        const { numAffectedRows } = await sql`delete from webhook_messages where (merchant_id, webhook_id, id) in (
          select merchant_id, webhook_id, id from webhook_messages where noted_at < ${before} limit ${sweptAtOnce})`.execute(
          db,
        )
        return Number(numAffectedRows ?? 0)
      },
      'single statement',
    )
    swept += gone
    if (gone < sweptAtOnce) return swept
  }
}

/** Disables a webhook, and notes a letter to the users who may enable it again. A save of before is a conflict. */
export const stopWebhook = (doors: Doors, { merchantId, id }: WebhookKey, at: Date): Promise<void> =>
  doors.withSystem('webhooks', async (db) => {
    const stopped = await db
      .updateTable('webhooks')
      .set({ is_enabled: false, stopped_at: at, version: sql<number>`version + 1` })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('is_enabled', '=', true)
      .returning(['name', 'failing_since'])
      .executeTakeFirst()
    if (!stopped) return
    const { name: merchant, time_zone: zone } = await db
      .selectFrom('merchants')
      .where('id', '=', merchantId)
      .select(['name', 'time_zone'])
      .executeTakeFirstOrThrow()
    const since = (stopped.failing_since ?? at).toISOString()
    const facts = { webhookId: id, name: stopped.name, merchant, since, zone }
    const letter = { kind: 'webhookStopped', about: `${id} ${at.toISOString()}`, merchantId, facts, at } as const
    await noteToAdmins(db, letter)
  })
