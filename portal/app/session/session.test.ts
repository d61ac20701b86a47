// Over 450 lines because a session is one noun: how it begins, is renewed, works without a network and ends.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#contract/people/user.ts'
import { safeReturn } from './returnTo.ts'
import { createSession, type SessionDeps } from './session.ts'
import { SignInFault, type Tokens } from './signIn.ts'

const anna: Me = {
  id: '0',
  version: 1,
  email: 'anna@gettone.test',
  name: 'Anna',
  role: 'groupAdmin',
  language: 'it',
  mayLicense: false,
}
const refusal = new Error('refused by the server')
const weak = new Error('refused for want of a second factor')
const lost = new Error('no answer')
const tenMinutes = 600_000

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

let made = 0
const tokens = (changed: Partial<Tokens> = {}): Tokens => ({
  accessToken: `token ${++made}`,
  expiresAt: Date.now() + tenMinutes,
  subject: 'anna',
  role: 'groupAdmin',
  isCustomer: false,
  ...changed,
})
const needsInteraction = () => Promise.reject(new SignInFault('interactionRequired', 'login_required'))
const isAway = () => Promise.reject(new SignInFault('transient', 'no network'))

function aSession(provider: Partial<SessionDeps['provider']> = {}, rest: Partial<SessionDeps> = {}) {
  const storage = new Map<string, string>()
  const deps = {
    provider: {
      isSameSite: true,
      silent: vi.fn(async () => tokens()),
      popup: vi.fn(async () => tokens()),
      redirect: vi.fn(async () => {}),
      complete: vi.fn(async () => ({ tokens: tokens(), returnTo: '/alarms' })),
      signOut: vi.fn(async () => {}),
      forget: vi.fn(async () => {}),
      ...provider,
    },
    loadMe: vi.fn(async () => anna),
    loadFirst: (): Promise<Me> => deps.loadMe(),
    isRefusal: (error: unknown) => error === refusal || error === weak,
    isWeak: (error: unknown) => error === weak,
    logEnd: vi.fn(async () => {}),
    clear: vi.fn(),
    changePassword: () => undefined,
    tellFailure: vi.fn(),
    tellTabs: vi.fn(),
    memory: {
      read: (key: string) => storage.get(key) ?? null,
      write: (key: string, value: string | null) =>
        void (value === null ? storage.delete(key) : storage.set(key, value)),
    },
    offline: {
      user: (): { subject: string; me: Me } | undefined => undefined,
      restore: vi.fn(async () => {}),
      isReached: vi.fn(async () => true),
      isLost: (error: unknown) => error === lost,
      whenBack: (look: () => void) => {
        const timer = setInterval(look, 15_000)
        return () => clearInterval(timer)
      },
    },
    now: Date.now,
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    ...rest,
  }
  const session = createSession(deps)
  const statuses: string[] = []
  session.subscribe(() => {
    const { status } = session.state()
    if (statuses.at(-1) !== status) statuses.push(status)
  })
  return { session, deps, statuses, storage }
}

test('a user still signed in at the provider is signed in without a prompt', async () => {
  const { session, statuses } = aSession()
  expect(session.state()).toMatchObject({ status: 'inProgress', me: null })
  await session.start('/alarms')
  expect(session.state()).toMatchObject({ status: 'succeeded', me: anna, isUnauthorized: false })
  expect(statuses).toEqual(['inProgress', 'succeeded'])
})

test('a user not signed in at the provider is unknown', async () => {
  const { session, deps } = aSession({ silent: needsInteraction })
  await session.start('/')
  expect(session.state()).toMatchObject({ status: 'unknown', me: null })
  expect(session.token()).toBeUndefined()
  expect(deps.provider.redirect).not.toHaveBeenCalled()
})

test('a provider that cannot be reached is an error, and a new try may succeed', async () => {
  const { session } = aSession({ silent: vi.fn(async () => tokens()).mockImplementationOnce(isAway) })
  await session.start('/')
  expect(session.state().status).toBe('error')
  await session.start('/')
  expect(session.state().status).toBe('succeeded')
})

test('a provider of another site is checked by a full redirect, and only for users who were signed in before', async () => {
  const { session, deps, storage } = aSession({ isSameSite: false })
  await session.start('/alarms')
  expect(session.state().status).toBe('unknown')
  expect(deps.provider.redirect).not.toHaveBeenCalled()

  storage.set('signedIn', 'yes')
  await session.start('/alarms')
  expect(deps.provider.redirect).toHaveBeenCalledExactlyOnceWith({ returnTo: '/alarms', isSilent: true })
  expect(deps.provider.silent).not.toHaveBeenCalled()
  // After a negative answer there is no second check.
  await session.start('/alarms')
  expect(deps.provider.redirect).toHaveBeenCalledOnce()
})

test("after the provider's redirect the user is at the requested page", async () => {
  const { session } = aSession()
  expect(await session.complete('https://portal/signed-in?code=1')).toBe('/alarms')
  expect(session.state()).toMatchObject({ status: 'succeeded', me: anna })
})

test.each([
  ['the token names no role of ours', { role: null }, async () => anna],
  ['the server knows nobody of that name', {}, () => Promise.reject(refusal)],
])('when %s, the user is unauthorized', async (_, changed, loadMe) => {
  const { session } = aSession({ complete: async () => ({ tokens: tokens(changed), returnTo: '/' }) }, { loadMe })
  expect(await session.complete('')).toBe('/unauthorized')
  expect(session.state()).toMatchObject({ me: null, isUnauthorized: true })
})

test('who is refused for want of a second factor learns why', async () => {
  const loadMe = vi.fn(async () => anna).mockImplementationOnce(() => Promise.reject(weak))
  const { session } = aSession({ complete: async () => ({ tokens: tokens(), returnTo: '/' }) }, { loadMe })
  expect(await session.complete('')).toBe('/unauthorized')
  expect(session.state()).toMatchObject({ me: null, isUnauthorized: true, isWeak: true })
  await session.complete('')
  expect(session.state()).toMatchObject({ me: anna, isUnauthorized: false, isWeak: false })
})

test('an end customer is unauthorized in the staff portal, and is shown as a customer', async () => {
  const loadMe = vi.fn(async () => anna)
  const next = tokens({ role: null, isCustomer: true })
  const { session } = aSession({ complete: async () => ({ tokens: next, returnTo: '/' }) }, { loadMe })
  expect(await session.complete('')).toBe('/unauthorized')
  expect(session.state()).toMatchObject({ me: null, isUnauthorized: true, isCustomer: true })
  expect(loadMe).not.toHaveBeenCalled()
})

test("the server's role applies, which may be lower than the token's", async () => {
  const { session } = aSession({ silent: async () => tokens({ role: 'superAdmin' }) })
  await session.start('/')
  expect(session.state().me?.role).toBe('groupAdmin')
})

test('tokens are renewed before they end', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  const before = session.token()
  await vi.advanceTimersByTimeAsync(tenMinutes - 60_000)
  expect(deps.provider.silent).toHaveBeenCalledTimes(2)
  expect(session.state().status).toBe('refreshed')
  expect(session.token()).not.toBe(before)
  expect(deps.loadMe).toHaveBeenCalledOnce()
})

test('a token that ended while the computer slept is renewed before it is used', async () => {
  const { session } = aSession()
  await session.start('/')
  const before = session.token()
  vi.setSystemTime(Date.now() + tenMinutes)
  expect(await session.token()).not.toBe(before)
})

test('concurrent requests for a new token cause one renewal', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  const all = await Promise.all([session.renew(), session.renew(), session.renew()])
  expect(new Set(all).size).toBe(1)
  expect(deps.provider.silent).toHaveBeenCalledTimes(2)
})

test('when the provider requires interaction, a popup opens', async () => {
  const { session, deps } = aSession({ silent: vi.fn(async () => tokens()) })
  await session.start('/')
  vi.mocked(deps.provider.silent).mockImplementation(needsInteraction)
  expect(await session.renew()).toBeDefined()
  expect(deps.provider.popup).toHaveBeenCalledOnce()
  expect(session.state()).toMatchObject({ status: 'refreshed', me: anna })
})

test.each([
  [
    'the popup fails',
    needsInteraction,
    () => Promise.reject(new SignInFault('refused', 'blocked')),
    'login_required; blocked',
  ],
  [
    'the renewal is refused otherwise',
    () => Promise.reject(new SignInFault('refused', 'server_error')),
    async () => tokens(),
    'server_error',
  ],
])('when %s, the user is signed out, and the reason is logged', async (_, silent, popup, reason) => {
  const { session, deps, storage } = aSession({ popup: vi.fn(popup) })
  await session.start('/')
  vi.mocked(deps.provider.silent).mockImplementation(silent)
  expect(await session.renew()).toBeUndefined()
  expect(session.state()).toMatchObject({ status: 'unknown', me: null, ending: 'autoLogout' })
  expect(deps.logEnd).toHaveBeenCalledExactlyOnceWith('autoLogout', reason)
  expect(deps.clear).toHaveBeenCalled()
  expect(deps.provider.forget).toHaveBeenCalled()
  // Other tabs may still have their sessions.
  expect(deps.tellTabs).not.toHaveBeenCalled()
  expect(session.token()).toBeUndefined()
  expect(storage.get('signedIn')).toBeUndefined()
})

test('a user who is barred while working is unauthorized, and sees no more data', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  session.refused(true)
  session.refused(true)
  expect(session.state()).toMatchObject({ me: null, isUnauthorized: true })
  expect(deps.clear).toHaveBeenCalledOnce()
  expect(deps.logEnd).not.toHaveBeenCalled()
})

test('an automatic logout that could not be logged is reported by the next session', async () => {
  const logEnd = vi.fn(() => Promise.reject(new Error('401')))
  const { session, deps } = aSession({}, { logEnd })
  await session.start('/')
  session.refused(false)
  await vi.advanceTimersByTimeAsync(0)
  vi.mocked(deps.logEnd).mockImplementation(async () => {})
  await session.start('/')
  await vi.advanceTimersByTimeAsync(0)
  expect(logEnd).toHaveBeenCalledTimes(2)
  expect(logEnd).toHaveBeenLastCalledWith('autoLogout', 'the server refused a renewed token')
  await session.start('/')
  expect(logEnd).toHaveBeenCalledTimes(2)
})

test('a short network failure does not end the session', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  vi.mocked(deps.provider.silent).mockImplementationOnce(isAway).mockImplementationOnce(isAway)
  const renewed = session.renew()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await renewed).toBeDefined()
  expect(session.state()).toMatchObject({ status: 'refreshed', me: anna })
})

test('a long network failure ends the session', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  vi.mocked(deps.provider.silent).mockImplementation(isAway)
  const renewed = session.renew()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await renewed).toBeUndefined()
  expect(session.state().ending).toBe('autoLogout')
})

test('logout clears the browser, signs out, waits a second and returns to unknown', async () => {
  const { session, deps, statuses } = aSession()
  await session.start('/')
  const done = session.signOut()
  await vi.advanceTimersByTimeAsync(0)
  expect(deps.clear).toHaveBeenCalled()
  expect(deps.provider.signOut).toHaveBeenCalled()
  expect(session.state()).toMatchObject({ status: 'inProgress', me: null })
  expect(session.token()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(999)
  expect(session.state().status).toBe('inProgress')
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(session.state()).toMatchObject({ status: 'unknown', me: null, ending: 'signedOut' })
  expect(statuses).toEqual(['inProgress', 'succeeded', 'inProgress', 'unknown'])
  expect(deps.tellFailure).not.toHaveBeenCalled()
})

test('a logout that fails at the provider is reported, and no user data stays', async () => {
  const { session, deps } = aSession({ signOut: isAway })
  await session.start('/')
  const done = session.signOut()
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  expect(deps.tellFailure).toHaveBeenCalledOnce()
  expect(session.state()).toMatchObject({ status: 'unknown', me: null })
})

test('sign-out in one tab signs out the others, without a further broadcast', async () => {
  const there = aSession()
  await there.session.start('/')
  const here = aSession({}, { tellTabs: vi.fn(there.session.endedElsewhere) })
  await here.session.start('/')
  const done = here.session.signOut()
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  expect(here.deps.tellTabs).toHaveBeenCalledOnce()
  expect(there.session.state()).toMatchObject({ status: 'unknown', me: null, ending: 'signedOut' })
  expect(there.deps.provider.signOut).not.toHaveBeenCalled()
  expect(there.deps.tellTabs).not.toHaveBeenCalled()
})

test('no data of one user remains when another signs in', async () => {
  const { session, deps } = aSession()
  await session.start('/')
  vi.mocked(deps.provider.silent).mockImplementation(async () => tokens({ subject: 'berta' }))
  await session.renew()
  expect(deps.clear).toHaveBeenCalledOnce()
  expect(deps.loadMe).toHaveBeenCalledTimes(2)
})

test.each([
  ['/alarms?status=active', '/alarms?status=active'],
  ['https://evil.example.com', '/dashboard'],
  ['//evil.example.com', '/dashboard'],
  ['/\\evil.example.com', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['/login?to=/login', '/dashboard'],
  ['/signed-in?code=1', '/dashboard'],
  ['/\t/evil.test', '/dashboard'],
  ['/\n\\evil.test', '/dashboard'],
  ['/.//evil.test', '/dashboard'],
  ['/x/../login?to=/x', '/dashboard'],
  [undefined, '/dashboard'],
])('from %j the sign-in returns to %j', (to, back) => {
  expect(safeReturn(to)).toBe(back)
})

test("a user's own changes show at once, and survive a renewal", async () => {
  const { session } = aSession()
  await session.start('/')
  session.updated({ ...anna, name: 'Anna B.', language: 'de' })
  expect(session.state().me).toMatchObject({ name: 'Anna B.', language: 'de' })
  session.updated({ ...anna, id: 'somebody else', name: 'Eve' })
  expect(session.state().me?.name).toBe('Anna B.')
})

/* Work without a network, by a user who has opened a round on this phone. */

const kept = { subject: 'anna', me: anna }
const minute = 60_000

/** A phone whose server is away until `back()`. */
function aPhone(provider: Partial<SessionDeps['provider']> = {}, rest: Partial<SessionDeps> = {}) {
  let isAway = true
  let user: typeof kept | undefined = kept
  const offline: SessionDeps['offline'] = {
    user: () => user,
    restore: vi.fn(async () => {}),
    isReached: async () => !isAway,
    isLost: (error) => error === lost,
    whenBack: (look) => {
      const timer = setInterval(look, minute)
      return () => clearInterval(timer)
    },
  }
  const one = aSession(provider, { offline, clear: vi.fn(() => void (user = undefined)), ...rest })
  one.storage.set('signedIn', 'yes')
  return {
    ...one,
    back: () => {
      isAway = false
    },
    forget: () => {
      user = undefined
    },
  }
}

test('a start without the server continues as the user of a round, and signs them in when it is back', async () => {
  const { session, deps, back } = aPhone()
  await session.start('/devices/rounds/1')
  expect(session.state()).toMatchObject({ status: 'succeeded', me: anna, offline: 'away' })
  expect(session.token()).toBeUndefined()
  expect(deps.offline.restore).toHaveBeenCalledExactlyOnceWith(anna.id)
  await vi.advanceTimersByTimeAsync(minute)
  expect(deps.provider.silent).not.toHaveBeenCalled()
  back()
  await vi.advanceTimersByTimeAsync(minute)
  expect(session.state()).toMatchObject({ status: 'succeeded', me: anna, offline: null })
  expect(session.token()).toBeDefined()
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(deps.provider.silent).toHaveBeenCalledTimes(1)
})

test('without a sign of them within a working day, and without a round, nothing opens', async () => {
  const one = aPhone({ silent: isAway })
  one.forget()
  await one.session.start('/')
  expect(one.session.state()).toMatchObject({ status: 'error', me: null, offline: null })
  const other = aPhone()
  await other.session.start('/')
  other.forget()
  await vi.advanceTimersByTimeAsync(minute)
  expect(other.session.state()).toMatchObject({ status: 'unknown', me: null, ending: 'autoLogout' })
})

test('a lost network does not sign out the user of a round, whose tokens end', async () => {
  const silent = vi.fn(isAway).mockImplementationOnce(async () => tokens() as never)
  const { session, deps, back } = aPhone({ silent })
  back()
  await session.start('/devices/rounds/1')
  expect(session.state().offline).toBeNull()
  await vi.advanceTimersByTimeAsync(2 * tenMinutes)
  expect(session.state()).toMatchObject({ me: anna, offline: 'away' })
  expect(deps.logEnd).not.toHaveBeenCalled()
})

test('a user who must sign in again is signed out when the server is back', async () => {
  const { session, deps, back } = aPhone({ silent: needsInteraction })
  await session.start('/devices/rounds/1')
  back()
  await vi.advanceTimersByTimeAsync(minute)
  expect(session.state()).toMatchObject({ status: 'unknown', me: null, ending: 'autoLogout', offline: null })
  expect(deps.clear).toHaveBeenCalledExactlyOnceWith('autoLogout')
})

test('a provider of another site leads away from the page, so the user decides when', async () => {
  const { session, deps, back } = aPhone({ isSameSite: false })
  await session.start('/devices/rounds/1')
  back()
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(session.state()).toMatchObject({ me: anna, offline: 'back' })
  expect([deps.provider.silent, deps.provider.redirect].map((call) => vi.mocked(call).mock.calls.length)).toEqual([
    0, 0,
  ])
  await session.signIn('/devices/rounds/1')
  expect(deps.provider.redirect).toHaveBeenCalledExactlyOnceWith({ returnTo: '/devices/rounds/1', isSilent: false })
})

test('another user at the provider gets nothing of the user of a round', async () => {
  const boris = { ...anna, id: '1' }
  const { session, deps, back } = aPhone(
    { silent: vi.fn(async () => tokens({ subject: 'boris' })) },
    { loadMe: async () => boris },
  )
  const seen: (string | undefined)[] = []
  await session.start('/devices/rounds/1')
  session.subscribe(() => seen.push(session.state().me?.id))
  back()
  await vi.advanceTimersByTimeAsync(minute)
  expect(deps.clear).toHaveBeenCalledExactlyOnceWith('anotherUser')
  expect(seen).toEqual([undefined, '1'])
})

test('a sign-out without a network ends the work, and nothing begins it again', async () => {
  const { session, deps, back } = aPhone()
  await session.start('/devices/rounds/1')
  void session.signOut()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(session.state()).toMatchObject({ status: 'unknown', me: null, offline: null })
  expect(deps.clear).toHaveBeenCalledWith('signedOut')
  back()
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(deps.provider.silent).not.toHaveBeenCalled()
})
