import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { recordOf } from '../frame/record-of.ts'
import { Instant, InstantInput, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { wholeBetween } from '../rules/number.ts'
import { SentEvent, WebhookEvent, WebhookFault, WebhookMessageState, WebhookState } from './webhook-vocabulary.ts'

/** The most that one merchant has. */
export const mostWebhooks = 20
/** Days for which messages are kept, delivered or not. */
export const webhookDays = 30
/** Maximum hours for which the previous secret signs as well after a rotation. */
export const longestSecretHours = 168
/** Messages that one replay sends again. */
export const mostReplayed = 10_000

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
const isReceiver = (text: string) => {
  if (/[\s\\]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.hostname === '' || url.username + url.password !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))
}
/** An https address without a user name. This machine itself may be called over http, outside production. */
export const ReceiverAddress = Text.trim().min(1).max(2048).refine(isReceiver, saying('receiver'))

export const NewWebhook = z.strictObject({
  /** Unique within its merchant, ignoring case. */
  name: LineText.trim().min(1).max(100),
  url: ReceiverAddress,
  events: z
    .array(WebhookEvent)
    .min(1)
    .refine((events) => new Set(events).size === events.length, saying('choice')),
  isEnabled: z.boolean().default(true),
})
export type NewWebhook = z.infer<typeof NewWebhook>

/** A receiver of events outside. Its secret is in one answer only. */
export const Webhook = recordOf(NewWebhook, {
  state: WebhookState,
  /** The last rotation; null: it has no secret yet, and nothing is sent. */
  secretMadeAt: Instant.nullable(),
  /** Until when the previous secret signs as well. */
  formerUntil: Instant.nullable(),
  /** The first of the attempts that all failed. */
  failingSince: Instant.nullable(),
  /** When the server disabled it. */
  stoppedAt: Instant.nullable(),
  /** Messages to be sent, counted to 1,000. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookFilters = z.strictObject({ search: Search.optional() })
export type WebhookFilters = z.infer<typeof WebhookFilters>
export const webhookColumns = {
  name: { kind: 'text', heading: 'webhook:field.name' },
  state: { kind: 'status', heading: 'webhook:column.state', of: 'webhookState' },
  merchant: { kind: 'text', heading: 'webhook:column.merchant' },
  url: { kind: 'text', heading: 'webhook:field.url' },
  events: { kind: 'words', heading: 'webhook:field.events', of: 'webhookEvent' },
  waiting: { kind: 'number', heading: 'webhook:column.waiting' },
  createdAt: { kind: 'instant', heading: 'webhook:column.created' },
  id: { kind: 'plain', heading: 'webhook:column.id' },
} as const satisfies ListColumns

export const webhookOrds = ordsOf(webhookColumns, 'name')

export const SecretOnce = z.strictObject({ secret: z.string(), details: Webhook })

/** A message as the log shows it. */
export const WebhookMessage = z.strictObject({
  id: z.uuid(),
  event: SentEvent,
  /** When it happened. */
  at: Instant,
  state: WebhookMessageState,
  attempts: z.int(),
  /** The last attempt; the status is null without an answer. */
  attemptedAt: Instant.nullable(),
  status: z.int().nullable(),
  fault: WebhookFault.nullable(),
  millis: z.int().nullable(),
  /** When it is sent next; null unless it waits. */
  nextAt: Instant.nullable(),
})
export type WebhookMessage = z.infer<typeof WebhookMessage>

/** The same with what was sent, and the first 1,000 characters of the answer. */
export const WebhookMessageContent = WebhookMessage.extend({ body: z.string(), answer: z.string().nullable() })
export type WebhookMessageContent = z.infer<typeof WebhookMessageContent>

export const WebhookMessageFilters = z.strictObject({
  states: oneOrMany(WebhookMessageState),
  events: oneOrMany(SentEvent),
})
export type WebhookMessageFilters = z.infer<typeof WebhookMessageFilters>
export const webhookMessageColumns = {
  event: { kind: 'word', heading: 'webhook:field.event', of: 'webhookEvent' },
  state: { kind: 'status', heading: 'webhook:column.state', of: 'webhookMessageState' },
  status: { kind: 'plain', heading: 'webhook:message.answer' },
  attempts: { kind: 'number', heading: 'webhook:message.attempts' },
  millis: { kind: 'plain', heading: 'webhook:message.millis' },
  attemptedAt: { kind: 'instant', heading: 'webhook:message.attemptedAt' },
  at: { kind: 'instant', heading: 'webhook:message.at' },
} as const satisfies ListColumns

export const webhookMessageOrds = ordsOf(webhookMessageColumns, 'at')

/** Sends messages of a period again, with their ids: failed messages, or all. */
export const ReplayOrder = z.strictObject({
  from: InstantInput,
  to: InstantInput,
  which: z.enum(['failed', 'all']),
})
export type ReplayOrder = z.infer<typeof ReplayOrder>

const path = '/merchants/{merchantId}/webhooks' as const
const one = '/merchants/{merchantId}/webhooks/{webhookId}' as const
const message = '/merchants/{merchantId}/webhooks/{webhookId}/messages/{webhookMessageId}' as const
const topics = ['webhook'] as const

export const webhooks = {
  listWebhooks: endpoint({
    method: 'GET',
    path,
    summary: 'List webhooks',
    needs: 'settings.read',
    topics,
    query: WebhookFilters.extend(paged(webhookOrds)),
    ok: pageOf(Webhook),
  }),
  getWebhook: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a webhook, without its secret',
    needs: 'settings.read',
    topics,
    ok: Webhook,
    fails: ['WebhookNotFound'],
  }),
  createWebhook: endpoint({
    method: 'POST',
    path,
    summary: 'Create a webhook; nothing is sent before it has a secret',
    needs: 'settings.write',
    body: NewWebhook,
    ok: Webhook,
    status: 201,
    fails: ['MerchantNotSelected', 'WebhookNameTaken', 'WebhookTooMany', 'ValidationFailed'],
  }),
  updateWebhook: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Change a webhook; a stopped one starts again when it is enabled',
    needs: 'settings.write',
    body: editOf(NewWebhook),
    ok: Webhook,
    fails: ['WebhookNotFound', 'WebhookNameTaken', 'EditConflict', 'ValidationFailed'],
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a webhook with its messages',
    needs: 'settings.write',
    fails: ['WebhookNotFound'],
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webhooks/{webhookId}/secret',
    summary: 'Create or rotate the secret; only this response contains it',
    needs: 'settings.write',
    finds: ['webhookId'],
    /** The previous secret signs as well for some hours; 0: not at all. */
    body: z.strictObject({ graceHours: wholeBetween(0, longestSecretHours) }),
    hasSecret: true,
    ok: SecretOnce,
    fails: ['WebhookNotFound'],
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webhooks/{webhookId}/test',
    summary: 'Send a message that tries the webhook',
    needs: 'settings.write',
    finds: ['webhookId'],
    ok: z.strictObject({ id: z.uuid() }),
    status: 202,
    fails: ['WebhookNotFound', 'WebhookNotSending'],
  }),
  replayWebhook: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webhooks/{webhookId}/replay',
    summary: 'Send messages of a period again, oldest first and at most 10,000 at once',
    needs: 'settings.write',
    finds: ['webhookId'],
    body: ReplayOrder,
    /** `left`: there are more of the period. */
    ok: z.strictObject({ messages: z.int(), left: z.boolean() }),
    status: 202,
    fails: ['WebhookNotFound', 'PeriodReversed'],
  }),
  listWebhookMessages: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/webhooks/{webhookId}/messages',
    summary: 'List messages of a webhook, newest first',
    needs: 'settings.read',
    finds: ['webhookId'],
    topics,
    query: WebhookMessageFilters.extend(paged(webhookMessageOrds)),
    ok: pageOf(WebhookMessage),
    fails: ['WebhookNotFound'],
  }),
  getWebhookMessage: endpoint({
    method: 'GET',
    path: message,
    summary: 'Get a message with its body and the answer',
    needs: 'settings.read',
    finds: ['webhookId', 'webhookMessageId'],
    topics,
    ok: WebhookMessageContent,
    fails: ['WebhookMessageNotFound'],
  }),
  retryWebhookMessage: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webhooks/{webhookId}/messages/{webhookMessageId}/retry',
    summary: 'Send a message again, with its id',
    needs: 'settings.write',
    finds: ['webhookId', 'webhookMessageId'],
    ok: WebhookMessage,
    status: 202,
    fails: ['WebhookMessageNotFound'],
  }),
}

/** The list as a file. */
export const exportedWebhooks = {
  row: webhooks.listWebhooks,
  filters: WebhookFilters,
  ords: webhookOrds,
  columns: webhookColumns,
} as const satisfies ExportedList
