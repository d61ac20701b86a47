import type { Doors } from '#database/frame/tenant.ts'
import { currentSpan, traced } from '#database/frame/watching/cause.ts'
import {
  type Attempt,
  type Claimed,
  claimMessages,
  type DueMessage,
  releaseMessages,
  stopWebhook,
  type WebhookKey,
  writeAttempts,
} from '#database/merchants/webhook-sending.ts'
import { isAccepted, isToStop, pauseOfReceiver, waitOfMessage } from '#domain/merchants/webhook-retry.ts'
import type { Config } from '../config.ts'
import type { LiveHub } from '../live/hub.ts'
import { agentsFor } from '../network/public-address.ts'
import type { Vault } from '../secrets/vault.ts'
import { bodyOf } from './body.ts'
import { attemptsMade } from './metrics.ts'
import { type Answer, answerMillis, post } from './post.ts'
import { headersOf } from './sign.ts'

export interface LaneDeps {
  doors: Doors
  vault: Pick<Vault, 'open'>
  live: Pick<LiveHub, 'announce'>
  config: Pick<Config, 'production'>
  /** For tests. */
  timeoutMs?: number
  now?: () => Date
}

/** Requests to one receiver at a time. */
const atOnce = 16
/** Messages taken at once. */
const taken = 64
/** A process that dies gives its messages back after this time. It is longer than the slowest receiver takes for all of them. */
const leaseMs = (taken / atOnce + 2) * answerMillis

interface Sent {
  message: DueMessage
  attemptedAt: Date
  millis: number
  answer: Answer
}

/** Calls `act` for each, some at a time, until `signal` is aborted. */
async function eachOf<T>(items: readonly T[], signal: AbortSignal, act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) {
      if (signal.aborted) return
      await act(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}

function attemptOf({ message, attemptedAt, millis, answer: { status, fault, answer } }: Sent): Attempt {
  const attempts = message.attempts + 1
  const isDelivered = status !== null && isAccepted(status)
  const wait = isDelivered ? undefined : waitOfMessage(attempts, Math.random())
  return {
    id: message.id,
    state: isDelivered ? 'delivered' : wait === undefined ? 'failed' : 'waiting',
    attempts,
    nextAt: new Date(attemptedAt.getTime() + (wait ?? 0)),
    attemptedAt,
    status,
    fault,
    answer,
    millis,
  }
}

const isGone = ({ answer: { status } }: Sent) => status === 410

/**
 * Sends the due messages of one webhook until none is left, its receiver fails, or `signal` is aborted. Each webhook has a lane of its own: a
 * slow receiver holds no other back.
 */
export async function runLane(deps: LaneDeps, key: WebhookKey, signal: AbortSignal): Promise<void> {
  const clock = deps.now ?? (() => new Date())
  let agents: { of: string; agents: ReturnType<typeof agentsFor> } | undefined
  const end = () => {
    agents?.agents.httpAgent.destroy()
    agents?.agents.httpsAgent.destroy()
  }
  try {
    while (!signal.aborted) {
      const claimed = await claimMessages(deps.doors, key, { at: clock(), most: taken, leaseMs })
      if (!claimed || claimed.messages.length === 0) return
      if (agents?.of !== claimed.url) {
        end()
        const { hostname } = new URL(claimed.url)
        agents = { of: claimed.url, agents: agentsFor(hostname, deps.config.production, { keepAlive: true }) }
      }
      const sent = await sendAll(deps, key, claimed, agents.agents, clock, signal)
      const isWorking = await note(deps, key, claimed, sent, clock)
      if (!isWorking || (sent.length < taken && claimed.failures === 0)) return
    }
  } finally {
    end()
  }
}

/** The span of an attempt: of the trace that caused the event. */
const sendingOf = ({ id, event, trace }: DueMessage) => ({
  name: `send ${event}`,
  kind: 'client' as const,
  facts: { 'http.request.method': 'POST', 'gettone.webhook.message': id },
  parent: trace,
})

/** The receiver may continue the trace. */
function traceHeader(): Record<string, string> {
  const traceparent = currentSpan()?.traceparent
  return traceparent === undefined ? {} : { traceparent }
}

async function sendAll(
  { vault, config, timeoutMs }: LaneDeps,
  { merchantId }: WebhookKey,
  { url, currency, secrets: sealed, messages }: Claimed,
  agents: ReturnType<typeof agentsFor>,
  clock: () => Date,
  signal: AbortSignal,
): Promise<Sent[]> {
  const secrets = sealed.map((secret) => vault.open(secret))
  const sent: Sent[] = []
  await eachOf(messages, signal, async (message) => {
    const attemptedAt = clock()
    const began = performance.now()
    const body = bodyOf(message, { merchantId, currency })
    const answer = await traced(sendingOf(message), () =>
      post(
        url,
        body,
        { ...headersOf(secrets, message.id, attemptedAt, body), ...traceHeader() },
        {
          agents,
          isPublicOnly: config.production,
          ...(timeoutMs !== undefined && { timeoutMs }),
        },
      ),
    )
    sent.push({ message, attemptedAt, millis: Math.round(performance.now() - began), answer })
  })
  return sent
}

/** Stores how attempts ended. Returns whether the receiver accepts any. */
async function note(
  { doors, live }: LaneDeps,
  key: WebhookKey,
  { messages, failures }: Claimed,
  sent: readonly Sent[],
  clock: () => Date,
): Promise<boolean> {
  const attempts = sent.map(attemptOf)
  for (const { state } of attempts) attemptsMade.inc({ outcome: state === 'delivered' ? 'accepted' : 'failed' })
  const isWorking = attempts.some(({ state }) => state === 'delivered')
  const wish = Math.max(0, ...sent.map(({ answer }) => answer.wishMillis))
  const at = clock()
  if (attempts.length > 0) {
    const retryAt = new Date(at.getTime() + pauseOfReceiver(failures + 1, Math.random(), wish))
    const since = await writeAttempts(doors, key, attempts, isWorking ? { isWorking } : { isWorking, at, retryAt })
    if (since && isToStop(since, at, sent.every(isGone))) await stopWebhook(doors, key, at)
  }
  const done = new Set(sent.map(({ message }) => message.id))
  const left = messages.filter(({ id }) => !done.has(id)).map(({ id }) => id)
  if (left.length > 0) await releaseMessages(doors, key, left, at)
  live.announce(key.merchantId, 'webhook')
  return isWorking
}
