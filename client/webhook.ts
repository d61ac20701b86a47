import type { Events } from './api.gen.ts'

/** A request that is not from Gettone, or that was sent too long ago. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** A message of a webhook, by its `type`. Store its `id`: a repeated message has the same one. */
export type VerifiedWebhook =
  | {
      [E in keyof Events]: {
        id: string
        type: E
        /** When it happened. */
        timestamp: string
        merchantId: string
        /** Of all amounts. */
        currency: string
        data: Events[E]
      }
    }[keyof Events]
  | { id: string; type: 'webhook.test'; timestamp: string; merchantId: string; currency: string; data: { at: string } }

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const headerOf = (headers: HeadersLike, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

export interface WebhookOptions {
  /** The secret of the webhook; during a rotation both. */
  secret: string | readonly string[]
  headers: HeadersLike
  /** The body as it was received, before it is parsed. */
  body: string
  /** How far the time of the request may be away, in seconds; 300 by default. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * Checks the signature of a request (Standard Webhooks) and returns its message. Throws WebhookError: answer such a request with 400. The
 * comparison is made by the platform, in constant time.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  now = new Date(),
}: WebhookOptions): Promise<VerifiedWebhook> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !/^\d+$/.test(timestamp) || !signatures) throw new WebhookError('The headers of a webhook are missing')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The request was sent too long ago')
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const one of Array.isArray(secret) ? secret : [secret]) {
    const raw = bytesOf(String(one).replace(/^whsec_/, ''))
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures.split(' ')) {
      const [version, base64] = signature.split(',')
      if (version !== 'v1' || !base64) continue
      if (await crypto.subtle.verify('HMAC', key, bytesOf(base64), content)) return JSON.parse(body) as VerifiedWebhook
    }
  }
  throw new WebhookError('The signature is wrong')
}
