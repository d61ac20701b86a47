import { visits } from '#contract/stock/visit.ts'
import { call } from '#portal/app/api.ts'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import { type KeptVisit, visitStore } from './visitStore.ts'

/** Waits between tries in seconds, while there is no connection; the last one repeats. */
const waits = [5, 15, 60, 180]

/**
 * Whether a visit is sent again: nothing was answered about the visit itself. A page of a hotspot is no answer
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
let sent: (visit: KeptVisit) => void = () => undefined

const postVisit = ({ merchantId, posId, body }: KeptVisit) =>
  call(visits.createVisit, { params: { merchantId, posId }, body, isWhole: true })

/** Sends one kept visit. A visit that the server refuses is kept with the reason. */
async function sendOne(visit: KeptVisit): Promise<void> {
  try {
    await postVisit(visit)
  } catch (error) {
    if (isPassing(error)) throw error
    const { code, fields, facts } = error as ApiError
    return visitStore.keep({ ...visit, refused: { code, fields, facts } })
  }
  await visitStore.remove(visit.id)
  sent(visit)
}

const openOf = (userId: string) => visitStore.known().filter((one) => one.userId === userId && one.refused === null)

/**
 * Sends the oldest visit until none is left, also visits that are kept meanwhile. Visits of one machine keep their order: after a failure its
 * others wait, and without a connection all of them. The server takes a visit that is sent twice for one.
 */
async function sendAll(userId: string): Promise<void> {
  await visitStore.reread()
  const failed = new Map<string, unknown>()
  for (;;) {
    const visit = openOf(userId).find(({ posId }) => !failed.has(posId))
    if (!visit) break
    try {
      await sendOne(visit)
    } catch (error) {
      if (!(error instanceof ApiError) || isLost(error) || error.status === 401) throw error
      failed.set(visit.posId, error)
    }
  }
  for (const error of failed.values()) throw error
}

const hasOpen = (userId: string) => openOf(userId).length > 0

/** Sends all visits of a user that are kept on this phone, oldest first, until the connection fails; then again after a while. */
export function sendVisits(userId: string): Promise<void> {
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
        timer = setTimeout(() => void sendVisits(userId), wait * 1000)
      }
    })
  return sending
}

/**
 * Sends kept visits now, and whenever the connection returns or the phone is used again; failures before that say nothing about the
 * connection now, so the waits start with the shortest. Returns what stops it.
 */
export function startSending(userId: string, onSent: (visit: KeptVisit) => void): () => void {
  sent = onSent
  const send = () => {
    failures = 0
    void sendVisits(userId)
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
