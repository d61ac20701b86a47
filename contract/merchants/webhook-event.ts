import { z } from 'zod'
import { ofFeature } from '../frame/of-feature.ts'
import { MinorUnits } from '../frame/shapes.ts'
import { RuleKind } from '../updates/rollout-kind.ts'
import { CollectionSource } from '../vocabulary/cash.ts'
import { refundKinds } from '../vocabulary/cashless.ts'
import { PriceSource } from '../vocabulary/catalogue/price.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { SentEvent, type testEvent, type WebhookEvent } from './webhook-vocabulary.ts'

/** An instant in a message: UTC with its zone, since integrations read it without this contract. */
const At = z.iso.datetime()
const ofMachine = { posId: z.uuid(), at: At }

const sale = z.strictObject({
  ...ofMachine,
  transactionId: z.uuid(),
  type: z.int(),
  mediaType: z.int(),
  mediaSource: z.int(),
  /** Minor units, as all amounts. */
  value: MinorUnits,
  valueCharge: MinorUnits,
  freeSale: z.boolean(),
  priceLine: ofFeature('vending', z.int().nullable()),
  priceTable: ofFeature('vending', z.int().nullable()),
  product: ofFeature('vending', z.string().nullable()),
  productCode: ofFeature('vending', z.string().nullable()),
})
const alarm = z.strictObject({
  ...ofMachine,
  alarmId: z.uuid(),
  code: z.string(),
  criticity: z.int(),
})

/** The facts of each event. Personal data is in none of them: integrations read it with a token, if they may. */
export const webhookData = {
  'sale.made': sale,
  'sale.failed': sale,
  'alarm.raised': alarm,
  /** `byUser`: repaired by hand in the portal. */
  'alarm.ended': alarm.extend({ byUser: z.boolean() }),
  'machine.online': z.strictObject(ofMachine),
  /** `at`: its last message. */
  'machine.offline': z.strictObject(ofMachine),
  'cash.collected': z.strictObject({
    ...ofMachine,
    collectionId: z.uuid(),
    source: CollectionSource,
    /** What the machine itself reports as collected; null also where the merchant counts blind. */
    reported: MinorUnits.nullable(),
  }),
  'refund.made': z.strictObject({
    at: At,
    refundId: z.uuid(),
    kind: z.enum(refundKinds),
    amount: MinorUnits,
    posId: z.uuid().nullable(),
    transactionId: z.uuid().nullable(),
  }),
  /** `device`: the machine itself has changed it; null: no price. */
  'price.changed': z.strictObject({
    ...ofMachine,
    selection: z.string(),
    priceTable: z.int(),
    before: MinorUnits.nullable(),
    after: MinorUnits.nullable(),
    source: PriceSource,
  }),
  'rollout.halted': z.strictObject({
    at: At,
    ruleId: z.uuid(),
    kind: RuleKind,
    /** Halted by a user; otherwise automatically. */
    byUser: z.boolean(),
  }),
  'round.done': z.strictObject({ at: At, roundId: z.uuid() }),
} as const satisfies Record<WebhookEvent, z.ZodObject>

export type WebhookData<E extends WebhookEvent> = z.infer<(typeof webhookData)[E]>
/** Something that happened, as it is noted. */
export type WebhookFact = { [E in WebhookEvent]: { event: E; merchantId: string; data: WebhookData<E> } }[WebhookEvent]

/** The body of a request to a webhook. A repeated request has the same `id` and the same facts. */
export const WebhookBody = z.strictObject({
  id: z.uuid(),
  type: SentEvent,
  /** When it happened. */
  timestamp: At,
  merchantId: z.uuid(),
  /** Of all amounts. */
  currency: Currency,
  data: z.union([...Object.values(webhookData), z.strictObject({ at: At })]),
})
export type WebhookBody<E extends WebhookEvent | typeof testEvent = WebhookEvent | typeof testEvent> = {
  id: string
  type: E
  timestamp: string
  merchantId: string
  currency: Currency
  data: E extends WebhookEvent ? WebhookData<E> : { at: string }
}

/** Headers of a request, by the public specification of Standard Webhooks. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const
/** The start of a secret; the rest is base64 of its 32 bytes. */
export const webhookSecretPrefix = 'whsec_'
