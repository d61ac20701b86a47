import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookMessageFilters, webhookMessageOrds } from '#contract/merchants/webhook.ts'
import { testEvent } from '#contract/merchants/webhook-vocabulary.ts'
import { anyOf } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'

type Ord = (typeof webhookMessageOrds)[number]

const ordering = orderOf<Ord>({
  by: {
    at: sql`webhook_messages.at`,
    event: sql`webhook_messages.event`,
    state: sql`webhook_messages.state`,
    status: sql`webhook_messages.status`,
    attempts: sql`webhook_messages.attempts`,
    millis: sql`webhook_messages.millis`,
    attemptedAt: sql`webhook_messages.attempted_at`,
  },
  first: 'at',
  falling: 'all',
  full: ['at'],
  ties: sql`webhook_messages.id desc`,
})

/** A page of a webhook's messages, newest first. */
export const listMessages = (db: TenantDb, webhookId: string, query: WebhookMessageFilters & Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: () =>
      db
        .from('webhook_messages')
        .where('webhook_messages.webhook_id', '=', webhookId)
        .where(anyOf('webhook_messages.state', query.states, 'text'))
        .where(anyOf('webhook_messages.event', query.events, 'text')),
    order: ordering(query),
    select: (messages) => messages.selectAll('webhook_messages'),
  })

export const messageOf = (db: TenantDb, webhookId: string, id: string) =>
  db
    .from('webhook_messages')
    .innerJoin('merchants', 'merchants.id', 'webhook_messages.merchant_id')
    .where('webhook_messages.webhook_id', '=', webhookId)
    .where('webhook_messages.id', '=', id)
    .selectAll('webhook_messages')
    .select('merchants.currency')
    .executeTakeFirst()
export type MessageRecord = NonNullable<Awaited<ReturnType<typeof messageOf>>>

const again = (now: Date) => ({ state: 'waiting', attempts: 0, next_attempt_at: now })

/** Lets a message be sent again, from its first attempt. */
export const sendAgain = (db: TenantDb, { merchant_id, webhook_id, id }: MessageRecord, now: Date) =>
  db.query
    .updateTable('webhook_messages')
    .set(again(now))
    .where(db.own('webhook_messages'))
    .where('merchant_id', '=', merchant_id)
    .where('webhook_id', '=', webhook_id)
    .where('id', '=', id)
    .execute()

interface Stretch {
  merchantId: string
  webhookId: string
  from: Date
  to: Date
  states: readonly string[]
  most: number
}

/** Lets messages of a period be sent again, the oldest first. Returns their number, and whether there are more. */
export async function replayMessages(
  db: TenantDb,
  { merchantId, webhookId, from, to, states, most }: Stretch,
  now: Date,
): Promise<{ messages: number; left: boolean }> {
  const found = await db
    .from('webhook_messages')
    .where('webhook_messages.webhook_id', '=', webhookId)
    .where('webhook_messages.at', '>=', from)
    .where('webhook_messages.at', '<=', to)
    .where(sql<boolean>`webhook_messages.state = any(${states}::text[])`)
    .select('webhook_messages.id')
    .orderBy('webhook_messages.at')
    .orderBy('webhook_messages.id')
    .limit(most + 1)
    .execute()
  const ids = found.slice(0, most).map(({ id }) => id)
  if (ids.length > 0)
    await db.query
      .updateTable('webhook_messages')
      .set(again(now))
      .where(db.own('webhook_messages'))
      .where('merchant_id', '=', merchantId)
      .where('webhook_id', '=', webhookId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute()
  return { messages: ids.length, left: found.length > most }
}

/** Notes a message that tries a webhook. Returns its id. */
export async function noteTest(db: TenantDb, merchantId: string, webhookId: string, now: Date): Promise<string> {
  const id = randomUUIDv7()
  await db.query
    .insertInto('webhook_messages')
    .values({
      merchant_id: merchantId,
      id,
      webhook_id: webhookId,
      event: testEvent,
      at: now,
      noted_at: now,
      next_attempt_at: now,
      data: JSON.stringify({ at: now.toISOString() }),
    })
    .execute()
  return id
}
