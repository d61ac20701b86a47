import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { featuresWithin, gatesOf } from '#contract/frame/of-feature.ts'
import { type WebhookFact, webhookData } from '#contract/merchants/webhook-event.ts'
import { type WebhookEvent, webhookEventFeatures } from '#contract/merchants/webhook-vocabulary.ts'
import { featureOfRule } from '#contract/updates/rollout-kind.ts'
import { isAlarmOf } from '#contract/vocabulary/alarm.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { insertColumns } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A transaction of tenants, or of all of them. */
type Noting = Pick<TenantDb, 'query'> & Partial<Pick<TenantDb, 'own'>>

interface Wanted {
  merchantId: string
  webhookId: string
  events: string[]
  features: string[]
}

/** The webhooks of some merchants that take events. One that the server stopped takes them too: it may be enabled again. */
const wantedOf = (db: Noting, merchantIds: readonly string[]): Promise<Wanted[]> =>
  preparedRows(
    db.query,
    sql<Wanted>`select w.merchant_id as "merchantId", w.id as "webhookId", w.events,
      coalesce((select f.features from merchant_features f
        where ${db.own?.('f') ?? sql`true`} and f.merchant_id = w.merchant_id), '{}') as features
    from webhooks w where ${db.own?.('w') ?? sql`true`} and w.merchant_id = any(${merchantIds}::uuid[])
      and (w.is_enabled or w.stopped_at is not null)`,
  )

/** Whether a merchant with these features has such facts. */
const isOf = ({ event, data }: WebhookFact, features: readonly string[]): boolean => {
  const feature: Feature | undefined = webhookEventFeatures[event]
  if (feature !== undefined && !features.includes(feature)) return false
  if (event === 'rollout.halted') return features.includes(featureOfRule[data.kind])
  return !(event === 'alarm.raised' || event === 'alarm.ended') || isAlarmOf(data.code, features)
}

const isPlain = (event: WebhookEvent) => featuresWithin(gatesOf(webhookData[event])).size === 0

/** The facts as JSON, without the fields of features that the merchant lacks. */
function jsonOf({ event, data }: WebhookFact, features: readonly string[]): string {
  if (isPlain(event)) return JSON.stringify(data)
  const gates = gatesOf(webhookData[event])
  const shown = Object.entries(data).filter(([name]) => {
    const feature = gates.get(name)?.feature
    return feature === undefined || features.includes(feature)
  })
  return JSON.stringify(Object.fromEntries(shown))
}

/**
 * Notes facts for the webhooks that take them, in the transaction that stores the facts: none is lost, and none is invented. Without
 * webhooks it costs one small query. `facts` is called only if a webhook takes one of the events.
 */
export async function noteFacts(
  db: Noting,
  merchantIds: readonly string[],
  events: readonly WebhookEvent[],
  facts: () => readonly WebhookFact[] | Promise<readonly WebhookFact[]>,
): Promise<void> {
  const merchants = [...new Set(merchantIds)]
  if (merchants.length === 0 || events.length === 0) return
  const wanted = (await wantedOf(db, merchants)).filter((one) =>
    one.events.some((event) => events.includes(event as WebhookEvent)),
  )
  if (wanted.length === 0) return
  const byMerchant = Map.groupBy(wanted, ({ merchantId }) => merchantId)
  const notes = (await facts()).flatMap((fact) =>
    (byMerchant.get(fact.merchantId) ?? [])
      .filter(({ events: taken, features }) => taken.includes(fact.event) && isOf(fact, features))
      .map(({ webhookId, features }) => ({ ...fact, webhookId, json: jsonOf(fact, features) })),
  )
  if (notes.length === 0) return
  const now = new Date().toISOString()
  await insertColumns(db.query, {
    table: 'webhook_messages',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: notes.map(({ merchantId }) => merchantId) },
      { name: 'id', type: 'uuid', values: notes.map(() => randomUUIDv7()) },
      { name: 'webhook_id', type: 'uuid', values: notes.map(({ webhookId }) => webhookId) },
      { name: 'event', type: 'text', values: notes.map(({ event }) => event) },
      { name: 'at', type: 'timestamptz', values: notes.map(({ data }) => data.at) },
      { name: 'noted_at', type: 'timestamptz', value: now },
      { name: 'next_attempt_at', type: 'timestamptz', value: now },
      { name: 'data', type: 'text', values: notes.map(({ json }) => json) },
    ],
  })
}
