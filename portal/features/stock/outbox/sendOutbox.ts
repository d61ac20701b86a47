import { rounds } from '#contract/stock/round.ts'
import { visits } from '#contract/stock/visit.ts'
import { picking } from '#contract/warehouse/picking.ts'
import { call } from '#portal/app/api.ts'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import { outbox } from './outbox.ts'
import { type KeptStep, nextStep } from './steps.ts'

/** Waits between tries in seconds, while there is no connection; the last one repeats. */
const waits = [5, 15, 60, 180]

/**
 * Whether a step is sent again: nothing was answered about the step itself. A page of a hotspot is no answer
 * of the server.
 */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  isLost(error) ||
  !error.isOfServer ||
  error.status >= 500 ||
  [401, 408, 429].includes(error.status)

let sending: Promise<void> | undefined
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** Screens that send; the timer ends with the last of them. */
let senders = 0
let sent: (step: KeptStep, answer: unknown) => void = () => undefined

/** Sends a step; its answer. */
function post(step: KeptStep): Promise<unknown> {
  const { merchantId, roundId } = step
  const params = { merchantId, roundId: roundId ?? '' }
  switch (step.kind) {
    case 'visit':
      return call(visits.createVisit, { params: { merchantId, posId: step.posId }, body: step.body, isWhole: true })
    case 'skip':
      return call(rounds.skipStop, { params: { ...params, stopId: step.stopId }, body: step.body, isWhole: true })
    case 'pick':
      return call(picking.pickRound, { params, body: step.body, isWhole: true })
    case 'start':
      return call(rounds.startRound, { params, isWhole: true })
    case 'finish':
      return call(rounds.finishRound, { params, isWhole: true })
  }
}

/** A round that is over needs no start; the server judges the steps after it each alone. */
const isMoot = (step: KeptStep, error: unknown) =>
  step.kind === 'start' && error instanceof ApiError && error.code === 'RoundClosed'

/** Sends one kept step. A step that the server refuses is kept with the reason. */
async function sendOne(step: KeptStep): Promise<void> {
  let answer: unknown
  try {
    answer = await post(step)
  } catch (error) {
    if (isPassing(error)) throw error
    const { code, fields, facts } = error as ApiError
    if (!isMoot(step, error)) return outbox.keep({ ...step, refused: { code, fields, facts } })
  }
  failures = 0
  sent(step, answer)
  await outbox.remove(step.id)
}

const ofUser = (userId: string) => outbox.known().filter((one) => one.userId === userId)

/**
 * Sends the oldest step until none is left, also steps that are kept meanwhile. After a failure what depends on the step waits, and without a
 * connection all others. The server takes a step that is sent twice for one.
 */
async function sendAll(userId: string): Promise<void> {
  await outbox.reread()
  const failed = new Map<string, unknown>()
  for (;;) {
    const step = nextStep(ofUser(userId), new Set(failed.keys()))
    if (!step) break
    try {
      await sendOne(step)
    } catch (error) {
      if (!(error instanceof ApiError) || isLost(error) || error.status === 401) throw error
      failed.set(step.id, error)
    }
  }
  for (const error of failed.values()) throw error
}

const hasOpen = (userId: string) => nextStep(ofUser(userId)) !== undefined

/** Sends all steps of a user that are kept on this phone, oldest first, until the connection fails; then again after a while. */
export function sendOutbox(userId: string): Promise<void> {
  clearTimeout(timer)
  sending ??= sendAll(userId)
    .then(
      () => {
        failures = 0
      },
      () => {
        failures += 1
      },
    )
    .finally(() => {
      sending = undefined
      if (senders > 0 && hasOpen(userId)) {
        const wait = waits[Math.min(Math.max(failures, 1), waits.length) - 1] as number
        timer = setTimeout(() => void sendOutbox(userId), wait * 1000)
      }
    })
  return sending
}

/** How long a user waits for an answer before the step counts as kept; it is sent anyway. */
const patienceMs = 8_000

/** Sends what is kept, but not for long: on a bad line the user continues. */
export const sendSoon = (userId: string): Promise<void> =>
  Promise.race([sendOutbox(userId), new Promise<void>((done) => setTimeout(done, patienceMs))])

/** Sends a step that the browser could not keep. */
export const sendUnkept = async (step: KeptStep): Promise<void> => sent(step, await post(step))

/**
 * Sends kept steps now, and whenever the connection returns or the phone is used again; failures before that say nothing about the
 * connection now, so the waits start with the shortest. Returns what stops it.
 */
export function startSending(userId: string, onSent: typeof sent): () => void {
  sent = onSent
  const send = () => {
    failures = 0
    void sendOutbox(userId)
  }
  const sendIfShown = () => document.visibilityState === 'visible' && send()
  senders += 1
  send()
  addEventListener('online', send)
  document.addEventListener('visibilitychange', sendIfShown)
  return () => {
    senders -= 1
    if (senders === 0) clearTimeout(timer)
    removeEventListener('online', send)
    document.removeEventListener('visibilitychange', sendIfShown)
  }
}
