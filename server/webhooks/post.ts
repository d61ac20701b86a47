import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { WebhookFault } from '#contract/merchants/webhook-vocabulary.ts'
import { AddressRefusedError, type agentsFor } from '../network/public-address.ts'

/** A receiver answers within this time, or the attempt failed. */
export const answerMillis = 10_000
/** Of an answer, so much is read. */
const mostBytes = 4_096
const mostCharacters = 1_000

export interface Answer {
  status: number | null
  fault: WebhookFault | null
  /** The start of its body. */
  answer: string | null
  /** The wait that it requested with Retry-After. */
  wishMillis: number
}

/** The start of a body. The rest of a long one is not read. */
async function startOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes >= mostBytes) break
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, mostBytes))
  return text.replaceAll('\0', '').slice(0, mostCharacters)
}

const certificate = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/

function faultOf(error: unknown): WebhookFault {
  if (error instanceof AddressRefusedError) return 'addressRefused'
  const { name, code = '' } = error as { name?: string; code?: string }
  if (name === 'AbortError' || name === 'TimeoutError') return 'timedOut'
  return certificate.test(String(code)) ? 'noCertificate' : 'notReachable'
}

function wishOf({ headers }: IncomingMessage, now: number): number {
  const text = headers['retry-after']
  if (text === undefined) return 0
  const millis = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(millis) ? Math.max(0, millis) : 0
}

/**
 * Sends a message. Redirects are not followed: an answer with one is no acceptance. In production only https to public addresses is called;
 * the address is checked when the connection opens, so a name that resolves to another one later gains nothing. Never rejects.
 */
export async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  {
    agents,
    isPublicOnly,
    timeoutMs = answerMillis,
  }: { agents: ReturnType<typeof agentsFor>; isPublicOnly: boolean; timeoutMs?: number },
): Promise<Answer> {
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const failed = (fault: WebhookFault): Answer => ({ status: null, fault, answer: null, wishMillis: 0 })
  if (isPublicOnly && !isTls) return failed('addressRefused')
  let status: number | null = null
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(
        target,
        {
          method: 'POST',
          agent: isTls ? agents.httpsAgent : agents.httpAgent,
          headers: {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
            'user-agent': 'Gettone-Webhooks/1',
            ...headers,
          },
          signal: AbortSignal.timeout(timeoutMs),
        },
        resolve,
      )
      request.on('error', reject)
      request.end(body)
    })
    status = answer.statusCode ?? null
    const wishMillis = wishOf(answer, Date.now())
    // What is said counts, also when its text breaks off.
    const text = await startOf(answer).catch(() => null)
    return { status, fault: null, answer: text, wishMillis }
  } catch (error) {
    return failed(faultOf(error))
  }
}
