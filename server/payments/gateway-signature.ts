import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSame, UnprovenError } from './adapter.ts'

/*
 * The signature of Gettone's own payment gateway protocol (docs/areas/payments.md): HMAC-SHA256 with the account's key over method, path, time
 * and body. Both sides sign in the same way.
 */

/** A signature is valid this long, so that a recorded request is of no use later. */
const validSeconds = 300

interface Signed {
  method: string
  /** Path and query. */
  path: string
  body: string
}

const hmac = (key: string, time: string, { method, path, body }: Signed) =>
  `v1=${createHmac('sha256', key).update(`${method}\n${path}\n${time}\n${body}`).digest('hex')}`

export function gatewayHeaders(accountId: string, key: string, request: Signed, now: Date): Record<string, string> {
  const time = String(Math.floor(now.getTime() / 1000))
  return {
    'content-type': 'application/json',
    'x-gateway-account': accountId,
    'x-gateway-time': time,
    'x-gateway-signature': hmac(key, time, request),
  }
}

/** Throws UnprovenError for a signature that is wrong or too old. */
export function proveGateway(key: string, headers: IncomingHttpHeaders, request: Signed, now: Date): void {
  const [time, signature] = [headers['x-gateway-time'], headers['x-gateway-signature']].map(String) as [string, string]
  const isFresh = /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1000 - Number(time)) <= validSeconds
  if (key === '' || !isFresh || !isSame(signature, hmac(key, time, request))) throw new UnprovenError()
}
