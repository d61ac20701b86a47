import { useSyncExternalStore } from 'react'
import { customerSessions, type SignedInCustomer } from '#contract/key-portal/customer-session.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { call, connectTokens } from './api.ts'
import { keepAnswers } from './kept.ts'
import { isPreview, slug } from './place.ts'
import { queryClient } from './queryClient.ts'
import { read, write } from './stored.ts'
import { forgetTyped } from './typed.ts'

/**
 * `waking`: the customer has signed in here, and the server has not answered yet. `away`: it cannot be reached. Kept answers are shown in
 * both.
 */
type Status = 'out' | 'in' | 'waking' | 'away'

const params = { portalSlug: slug }
const answerStore = keepAnswers(queryClient, slug)
/**
 * What this device knows of the session, whose cookie scripts cannot see: `in` after a sign-in; `ending` after a sign-out that the server has
 * not seen, so that the cookie opens no session until it has.
 */
const key = `key.session.${slug}`
const channel = 'BroadcastChannel' in window ? new BroadcastChannel(key) : undefined

let status: Status = 'out'
let current: { token: string; until: number } | undefined
let renewal: Promise<string | undefined> | undefined
/** Grows with each sign-in and sign-out: an answer to an earlier session is not used. */
let session = 0
/** How the last session ended: by the customer, or by the server, as after a long time. */
let parting: 'left' | 'ended' | undefined
const listeners = new Set<() => void>()

function become(next: Status) {
  if (next === status) return
  status = next
  for (const listener of listeners) listener()
}

function accept({ accessToken, expiresInSeconds }: SignedInCustomer) {
  parting = undefined
  current = { token: accessToken, until: Date.now() + expiresInSeconds * 1000 }
  become('in')
  return accessToken
}

/** Only one tab at a time uses the cookie, which every use replaces. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(key, work) as Promise<T>) : work()

/** Ends the session at the server. */
async function end() {
  await alone(() => call(customerSessions.endCustomerSession, { params }))
  if (read(key) === 'ending') write(key, undefined)
}

/** Erases what is the customer's own on this device. */
async function leave(mark: 'ending' | undefined, how: typeof parting) {
  session += 1
  parting = how
  current = undefined
  write(key, mark)
  // After a session that the server ended, the customer continues.
  if (how === 'left') forgetTyped()
  await answerStore.forgetOwn()
  become('out')
}

async function renewNow(): Promise<string | undefined> {
  const during = session
  try {
    const customer = await alone(() => call(customerSessions.renewCustomerSession, { params }))
    return during === session ? accept(customer) : undefined
  } catch (error) {
    if (during !== session) return undefined
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) await leave(undefined, 'ended')
    else become('away')
    return undefined
  }
}

const renew = async () => {
  if (read(key) !== 'in') return undefined
  renewal ??= renewNow().finally(() => {
    renewal = undefined
  })
  return renewal
}

connectTokens({
  token: async () => {
    const token = current && current.until - Date.now() > 20_000 ? current.token : await renew()
    if (token === undefined) throw new ApiError(status === 'out' ? 'Unauthorized' : 'Unreachable')
    return token
  },
  renew,
})

/** Shows what is kept; meanwhile, finds out whether the customer is still signed in. */
export async function startSession() {
  await answerStore.restore()
  if (isPreview) return
  if (read(key) === 'in') become('waking')
  else await answerStore.forgetOwn()
  const meet = () =>
    void (read(key) === 'ending' ? end().catch(() => undefined) : (status === 'away' || status === 'waking') && renew())
  meet()
  window.addEventListener('online', meet)
  channel?.addEventListener('message', () => void leave(undefined, 'left'))
}

/** Starts the session of a customer who has signed in; what an earlier customer left on the device is erased. */
export async function signIn(customer: SignedInCustomer) {
  await leave(undefined, undefined)
  write(key, 'in')
  accept(customer)
}

/** Signs out on this device, also without a network: the server learns of it when it is reached. */
export async function signOut() {
  await leave('ending', 'left')
  channel?.postMessage('out')
  await end().catch(() => undefined)
}

/** Forgets an account that was deleted. */
export async function forgetAccount() {
  await leave(undefined, 'left')
  channel?.postMessage('out')
}

/** Whether the customer chose to sign out. */
export const hasLeft = () => parting === 'left'

/** Whether the session ended without the customer’s doing. */
export const hasEnded = () => parting === 'ended'
/** The same, once. */
export function takeEnded() {
  const isEnded = hasEnded()
  if (isEnded) parting = undefined
  return isEnded
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useSession = () => useSyncExternalStore(subscribe, () => status)
