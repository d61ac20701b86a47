import { createHmac, randomBytes } from 'node:crypto'
import { webhookHeaders, webhookSecretPrefix } from '#contract/merchants/webhook-event.ts'

/** 256 random bits, written as Standard Webhooks writes secrets. */
export const newSecret = () => `${webhookSecretPrefix}${randomBytes(32).toString('base64')}`

/** The signature of a request: HMAC-SHA256 over `id.timestamp.body`. `timestamp`: seconds since 1970. */
export function signatureOf(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The headers of a request. Each valid secret signs it, parted by a blank. */
export const headersOf = (secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1000)
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(' '),
  }
}
