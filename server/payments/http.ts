import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { withoutTrailing } from '#domain/frame/trailing.ts'
import { agentsFor } from '../network/public-address.ts'
import type { PaymentAccount } from './adapter.ts'

/** How a call to a payment provider failed: it refused the call, or gave no usable answer. */
export class ProviderError extends Error {
  readonly kind: 'refused' | 'unreachable'
  readonly status: number | undefined
  constructor(kind: ProviderError['kind'], status?: number, options?: ErrorOptions) {
    super(status === undefined ? kind : `${kind} ${status}`, options)
    this.name = 'ProviderError'
    this.kind = kind
    this.status = status
  }
}

const timeoutMillis = 10_000
const mostBytes = 256 * 1024

export interface ProviderCall {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent as it is. */
  body?: string
}

/** The body, unless it is too long. */
async function bodyOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    bytes += (part as Buffer).length
    if (bytes > mostBytes) throw new ProviderError('unreachable', answer.statusCode)
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Sends a request to the account's own host, through the guard of addresses that users choose. */
const answerTo = (
  account: PaymentAccount,
  url: URL,
  { method, headers, body }: ProviderCall,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:'
    const { httpAgent, httpsAgent } = agentsFor(new URL(account.url).hostname, account.isPublicOnly)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = (isTls ? httpsRequest : httpRequest)(
      url,
      {
        method,
        agent: isTls ? httpsAgent : httpAgent,
        headers: { accept: 'application/json', 'user-agent': 'Gettone', ...headers, ...length },
        signal: AbortSignal.timeout(timeoutMillis),
      },
      resolve,
    )
    request.on('error', reject)
    request.end(body)
  })

/**
 * Calls a payment provider and returns its JSON. Only the host of the account's address is called, in production only with a public address;
 * redirects are not followed, and an answer takes at most ten seconds. Throws ProviderError, which holds nothing of the request or the
 * answer: both may contain credentials.
 */
export async function callProvider(account: PaymentAccount, url: URL, call: ProviderCall): Promise<unknown> {
  try {
    const answer = await answerTo(account, url, call)
    const text = await bodyOf(answer)
    const status = answer.statusCode ?? 0
    if (status >= 500 || status === 429 || (status >= 300 && status < 400))
      throw new ProviderError('unreachable', status)
    if (status < 200 || status >= 400) throw new ProviderError('refused', status)
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const { code, name } = error as { code?: unknown; name?: unknown }
    const cause = name === 'AddressRefusedError' ? 'address refused' : code
    throw new ProviderError('unreachable', undefined, typeof cause === 'string' ? { cause } : undefined)
  }
}

/** The address of a path below the root of a provider's API. */
export const below = (root: string, path: string) => new URL(withoutTrailing(root, '/') + path)
