import { visits } from '#contract/stock/visit.ts'
import { call } from '#portal/app/api.ts'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import { type KeptVisit, visitStore } from './visitStore.ts'

/** Waits between tries in seconds, while there is no connection; the last one repeats. */
const waits = [5, 15, 60, 180]

/** Refusals that have nothing to do with the visit itself: it is sent again. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || isLost(error) || error.status >= 500 || [401, 429].includes(error.status)

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

async function sendAll(userId: string): Promise<void> {
  await visitStore.reread()
  // Visits of one machine in their order; the server takes a visit that is sent twice for one.
  for (const visit of visitStore.known()) {
    if (visit.userId === userId && visit.refused === null) await sendOne(visit)
  }
}

const hasOpen = (userId: string) =>
  visitStore.known().some((visit) => visit.userId === userId && visit.refused === null)

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

/** Sends kept visits now, and whenever the connection returns or the phone is used again. Returns what stops it. */
export function startSending(userId: string, onSent: (visit: KeptVisit) => void): () => void {
  sent = onSent
  const send = () => void sendVisits(userId)
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
