import { randomUUIDv7 } from 'node:crypto'
import type { WebhookEvent } from '#contract/merchants/webhook-vocabulary.ts'
import { createVault, type Vault } from '#server/secrets/vault.ts'
import { newSecret } from '#server/webhooks/sign.ts'
import type { TestDatabase } from '../database.ts'

type Database = Pick<TestDatabase, 'admin'>

/** The vault of tests that start no server. */
export const testVault = createVault('a secret key of tests, long enough')

/** A webhook with a secret. */
export async function aWebhook(
  { admin }: Database,
  merchantId: string,
  { url, events, vault = testVault }: { url: string; events: readonly WebhookEvent[]; vault?: Pick<Vault, 'seal'> },
): Promise<{ id: string; merchantId: string; secret: string }> {
  const id = randomUUIDv7()
  const secret = newSecret()
  await admin(
    `insert into webhooks (merchant_id, id, name, url, events, is_enabled, created_at, secret, secret_made_at)
     values ($1, $2, $3, $4, $5, true, now(), $6, now())`,
    [merchantId, id, `Webhook ${id}`, url, events, vault.seal(secret)],
  )
  return { id, merchantId, secret }
}

/** A message that was delivered, unless the columns say otherwise. */
export async function aWebhookMessage(
  { admin }: Database,
  { merchantId, webhookId, ...columns }: { merchantId: string; webhookId: string; state?: string; at?: Date },
): Promise<string> {
  const id = randomUUIDv7()
  const { state = 'delivered', at = new Date() } = columns
  await admin(
    `insert into webhook_messages (merchant_id, id, webhook_id, event, at, noted_at, data, state, attempts, next_attempt_at, status)
     values ($1, $2, $3, 'machine.online', $4, $4, $5, $6, 1, $4, 200)`,
    [merchantId, id, webhookId, at, JSON.stringify({ posId: randomUUIDv7(), at: at.toISOString() }), state],
  )
  return id
}
