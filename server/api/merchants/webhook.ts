import { ProductError } from '#contract/errors.ts'
import { fromWire, toWireOrNull } from '#contract/frame/instant.ts'
import {
  mostReplayed,
  mostWebhooks,
  NewWebhook,
  Webhook,
  WebhookMessage,
  type webhooks,
} from '#contract/merchants/webhook.ts'
import {
  SentEvent,
  type WebhookEvent,
  WebhookFault,
  WebhookMessageState,
} from '#contract/merchants/webhook-vocabulary.ts'
import { countWebhooks, removeMessages, startAfresh, webhookList, writeSecret } from '#database/merchants/webhook.ts'
import {
  listMessages,
  type MessageRecord,
  messageOf,
  noteTest,
  replayMessages,
  sendAgain,
} from '#database/merchants/webhook-message.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { bodyOf } from '#server/webhooks/body.ts'
import { newSecret } from '#server/webhooks/sign.ts'

type Found = NonNullable<Awaited<ReturnType<typeof webhookList.find>>>

const present = (row: Found): Webhook => wireOf(Webhook, row, { events: row.events as WebhookEvent[] })

/** In production only https is called, also of this machine. */
function refusePlain({ config, body }: Pick<TenantCall, 'config'> & { body: { url: string } }): void {
  if (!config.production || body.url.startsWith('https:')) return
  const fault = { path: 'url', code: 'custom', message: 'rule.receiver', rule: 'rule.receiver' }
  throw new ProductError('ValidationFailed', { errors: [fault] })
}

export const webhookRecord = editable({
  noun: 'webhook',
  rows: webhookList,
  fields: NewWebhook,
  present,
  duplicates: { webhooks_by_name: ['WebhookNameTaken', 'name'] },
  created: async (call, { merchant_id }) => {
    refusePlain(call)
    if ((await countWebhooks(call.db, merchant_id)) > mostWebhooks) throw new ProductError('WebhookTooMany')
  },
  alsoChange: async (call, row) => {
    refusePlain(call)
    // A new address, or a webhook that is enabled again, has not failed yet.
    const isAfresh = call.body.isEnabled && (!row.is_enabled || call.body.url !== row.url)
    if (isAfresh) await startAfresh(call.db, row)
    return undefined
  },
  clear: async ({ db }, row) => {
    await removeMessages(db, row)
  },
})

const presentMessage = (row: Omit<MessageRecord, 'currency'>): WebhookMessage =>
  wireOf(WebhookMessage, row, {
    event: SentEvent.parse(row.event),
    state: WebhookMessageState.parse(row.state),
    fault: row.fault === null ? null : WebhookFault.parse(row.fault),
    nextAt: row.state === 'waiting' ? toWireOrNull(row.next_attempt_at) : null,
  })

async function messageIn({
  db,
  params,
}: {
  db: TenantCall['db']
  params: { webhookId: string; webhookMessageId: string }
}) {
  await webhookRecord.of(db, params.webhookId)
  const message = await messageOf(db, params.webhookId, params.webhookMessageId)
  if (!message) throw new ProductError('WebhookMessageNotFound')
  return message
}

const log = (
  { db, user, now, live }: Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>,
  { merchant_id: merchantId, id: subjectId }: { merchant_id: string; id: string },
  action: string,
  after: object,
) => {
  db.afterCommit(() => live.announce(merchantId, 'webhook'))
  return recordChange(db, { merchantId, at: now, user, subjectType: 'webhook', subjectId, action, after })
}

type Rows = Omit<typeof webhooks, 'listWebhooks' | 'getWebhook' | 'createWebhook' | 'updateWebhook' | 'deleteWebhook'>

/** The secret of a webhook, and the messages that are sent to it. */
export const webhookHandlers: Handlers<Rows> = {
  rotateWebhookSecret: async (call) => {
    const { db, params, body, vault, now } = call
    refuseAll(params.merchantId)
    const before = await webhookRecord.holdToErase(db, params.webhookId)
    const secret = newSecret()
    const formerUntil = body.graceHours > 0 ? new Date(now.getTime() + body.graceHours * 3_600_000) : null
    await writeSecret(db, before, { sealed: vault.seal(secret), formerUntil, now })
    await log(call, before, 'webhook.rotateSecret', { name: before.name, graceHours: body.graceHours })
    return { secret, details: present(await webhookRecord.of(db, before.id)) }
  },

  testWebhook: async (call) => {
    const { db, params, now } = call
    refuseAll(params.merchantId)
    const webhook = await webhookRecord.of(db, params.webhookId)
    if (!webhook.is_enabled || webhook.secret === null) throw new ProductError('WebhookNotSending')
    const id = await noteTest(db, webhook.merchant_id, webhook.id, now)
    await log(call, webhook, 'webhook.test', { name: webhook.name })
    return { id }
  },

  replayWebhook: async (call) => {
    const { db, params, body, now } = call
    refuseAll(params.merchantId)
    const webhook = await webhookRecord.of(db, params.webhookId)
    const [from, to] = [fromWire(body.from), fromWire(body.to)]
    if (from > to) throw new ProductError('PeriodReversed')
    const states = body.which === 'all' ? ['failed', 'delivered'] : ['failed']
    const stretch = { merchantId: webhook.merchant_id, webhookId: webhook.id, from, to, states, most: mostReplayed }
    const replayed = await replayMessages(db, stretch, now)
    if (replayed.messages > 0)
      await log(call, webhook, 'webhook.replay', { name: webhook.name, ...body, messages: replayed.messages })
    return replayed
  },

  listWebhookMessages: async ({ db, params, query }) => {
    await webhookRecord.of(db, params.webhookId)
    const { rows, ...counted } = await listMessages(db, params.webhookId, query)
    return { ...counted, items: rows.map(presentMessage) }
  },

  getWebhookMessage: async (call) => {
    const message = await messageIn(call)
    const body = bodyOf(
      { ...message, event: message.event },
      { merchantId: message.merchant_id, currency: message.currency },
    )
    return { ...presentMessage(message), body, answer: message.answer }
  },

  retryWebhookMessage: async (call) => {
    const message = await messageIn(call)
    await sendAgain(call.db, message, call.now)
    const webhook = { merchant_id: message.merchant_id, id: message.webhook_id }
    await log(call, webhook, 'webhook.replay', { messages: 1 })
    return presentMessage((await messageOf(call.db, message.webhook_id, message.id)) ?? message)
  },
}
