import type { Me } from '#contract/people/user.ts'
import { type Offline, type OfflineDeps, openOfflineWork } from './offlineWork.ts'
import type { Clearing, Ending } from './onLogout.ts'
import { safeReturn } from './returnTo.ts'
import { faultOf, SignInFault, type SignInProvider, type Tokens } from './signIn.ts'
import { type OpenTokens, openTokens } from './tokens.ts'

/** State of the sign-in. `refreshed`: signed in, with renewed tokens. */
export type SessionStatus = 'unknown' | 'inProgress' | 'succeeded' | 'error' | 'refreshed'

export interface SessionState {
  status: SessionStatus
  /** The user, with the effective role: the lower of the token's and the server's role. */
  me: Me | null
  /** The user is signed in, but has no role here. */
  isUnauthorized: boolean
  /** The user is an end customer. */
  isCustomer: boolean
  /** The sign-in lacks the second factor that the deployment requires of the user. */
  isWeak: boolean
  ending: Ending | null
  /** The user works with what this phone keeps, without tokens. */
  offline: Offline
}

export interface SessionDeps {
  provider: SignInProvider
  loadMe: () => Promise<Me>
  /** The same when the session begins, with what the screen at an address needs. */
  loadFirst: (address: string) => Promise<Me>
  /** Whether an error of `loadMe` means that the user has no access, rather than a failure. */
  isRefusal: (error: unknown) => boolean
  /** Whether it is because the sign-in lacks a second factor. */
  isWeak: (error: unknown) => boolean
  /** Reports the end of a session to the server's log; rejects if it fails. */
  logEnd: (type: 'logout' | 'autoLogout', reason: string) => Promise<void>
  /** Clears the user's data in the browser. */
  clear: (why: Clearing) => void
  /** Redirects to the page that changes the password. */
  changePassword: () => void
  /** Reports that signing out failed. */
  tellFailure: () => void
  /** Notifies the other tabs of a sign-out. Every other end of a session is detected by each tab's own tokens. */
  tellTabs: () => void
  /** Survives reloads of this tab, or of the browser; fails silently. */
  memory: {
    read: (key: 'ending' | 'signedIn' | 'unsent') => string | null
    write: (key: 'ending' | 'signedIn' | 'unsent', value: string | null) => void
  }
  offline: OfflineDeps
  now: () => number
  wait: (ms: number) => Promise<void>
}

const settleMs = 1_000

/** Reports an automatic logout. One that could not be reported is reported by the next session. */
const reportEnd = ({ logEnd, memory }: SessionDeps, reason: string) =>
  logEnd('autoLogout', reason).then(
    () => memory.write('unsent', null),
    () => undefined,
  )

/** The state of a session: it begins when tokens are accepted, and ends. */
function openState(deps: SessionDeps) {
  const { provider, memory, offline } = deps
  let state: SessionState = {
    status: 'inProgress',
    me: null,
    isUnauthorized: false,
    isCustomer: false,
    isWeak: false,
    ending: memory.read('ending') as Ending | null,
    offline: null,
  }
  const listeners = new Set<() => void>()

  const set = (changed: Partial<SessionState>) => {
    state = { ...state, ...changed }
    if (state.offline !== 'away') offlineWork.stopLooking()
    for (const listener of listeners) listener()
  }
  const tokens: OpenTokens = openTokens(deps, {
    accept: (next) => accept(next, 'refreshed'),
    giveUp: async (reason, isAway) => {
      if (!(isAway && (await offlineWork.begin()))) await autoLogout(reason)
    },
  })

  const offlineWork = openOfflineWork(deps, { state: () => state, set, tokens, accept, end })

  /** Takes new tokens and loads their user, who is on the way to an address when the session begins. An unknown role leads to the unauthorized page. */
  async function accept(next: Tokens, status: 'succeeded' | 'refreshed', address?: string) {
    const before = tokens.current()
    const isSame = before?.subject === next.subject && state.me !== null
    const { isCustomer } = next
    const owner = before?.subject ?? offline.user()?.subject
    if (owner !== undefined && owner !== next.subject) {
      if (state.offline) set({ me: null, offline: null })
      deps.clear('anotherUser')
    }
    tokens.keep(next)
    memory.write('signedIn', 'yes')
    if (next.role === null)
      return set({ status, me: null, isUnauthorized: true, isCustomer, isWeak: false, ending: null, offline: null })
    if (isSame) return set({ status })
    try {
      const me = await (address === undefined ? deps.loadMe() : deps.loadFirst(address))
      memory.write('ending', null)
      set({ status, me, isUnauthorized: false, isCustomer, isWeak: false, ending: null, offline: null })
      const unsent = memory.read('unsent')
      if (unsent) void reportEnd(deps, unsent)
    } catch (error) {
      if (deps.isRefusal(error)) {
        if (state.offline) deps.clear('barred')
        set({ status, me: null, isUnauthorized: true, isWeak: deps.isWeak(error), ending: null, offline: null })
      } else if (offline.isLost(error) && (await offlineWork.begin())) return
      else if (tokens.current()) set({ status: 'error', me: null, isUnauthorized: false, offline: null })
    }
  }

  async function autoLogout(reason: string) {
    if (!tokens.current()) return
    const text = reason.slice(0, 200)
    memory.write('unsent', text)
    await Promise.race([reportEnd(deps, text), deps.wait(3_000)])
    end('autoLogout')
    await provider.forget()
  }

  /** Clears the user's data in this page. */
  function end(ending: Ending) {
    tokens.forget()
    memory.write('ending', ending)
    memory.write('signedIn', null)
    set({
      status: 'unknown',
      me: null,
      isUnauthorized: false,
      isCustomer: false,
      isWeak: false,
      ending,
      offline: null,
    })
    deps.clear(ending)
  }

  return {
    state: () => state,
    set,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tokens,
    accept,
    offlineWork,
    autoLogout,
    end,
  }
}

type State = ReturnType<typeof openState>

/** Signing in: at page load, on request, and from the provider's answer. */
const signIns = ({ provider, memory, offline }: SessionDeps, { state, set, accept, offlineWork }: State) => ({
  /** At page load: a user still signed in at the provider is signed in without a prompt. */
  async start(here: string) {
    set({ status: 'inProgress' })
    const wasSignedIn = memory.read('signedIn') !== null
    // On a round a user does not wait for answers that do not come.
    const isAway = wasSignedIn && offline.user() !== undefined && !(await offline.isReached())
    if (isAway && (await offlineWork.begin())) return
    try {
      if (!provider.isSameSite) throw new SignInFault('interactionRequired', 'the provider is of another site')
      await accept(await provider.silent(), 'succeeded', here)
    } catch (error) {
      const { kind } = faultOf(error)
      if (kind === 'transient') {
        if (!(wasSignedIn && (await offlineWork.begin()))) set({ status: 'error' })
        return
      }
      if (provider.isSameSite || !wasSignedIn || state().ending) return set({ status: 'unknown' })
      // Only once: if it fails, the answer leads to the sign-in page.
      memory.write('signedIn', null)
      await provider.redirect({ returnTo: here, isSilent: true }).catch(async () => {
        if (!(await offlineWork.begin())) set({ status: 'error' })
      })
    }
  },

  /** Redirects to the identity provider, and afterwards to `returnTo`. */
  async signIn(returnTo = '/dashboard') {
    memory.write('ending', null)
    set({ status: 'inProgress', ending: null })
    await provider.redirect({ returnTo: safeReturn(returnTo), isSilent: false }).catch(() => set({ status: 'error' }))
  },

  /** At `/signed-in`: handles the provider's answer. Resolves to the next address. */
  async complete(url: string): Promise<string> {
    set({ status: 'inProgress' })
    try {
      const { tokens: next, returnTo } = await provider.complete(url)
      await accept(next, 'succeeded', safeReturn(returnTo))
      // An invited user has no account here yet.
      const isInvited = returnTo.startsWith('/invitation#')
      return state().isUnauthorized && !isInvited ? '/unauthorized' : safeReturn(returnTo)
    } catch (error) {
      const { kind } = faultOf(error)
      set({ status: kind === 'interactionRequired' ? 'unknown' : 'error' })
      return '/login'
    }
  },
})

/** The session of this page: one user; tokens are only in memory and renewed before they expire. */
export function createSession(deps: SessionDeps) {
  const { provider, memory } = deps
  const session = openState(deps)
  const { state, set, tokens, accept, autoLogout, end } = session
  return {
    subscribe: session.subscribe,
    state,
    ...signIns(deps, session),

    /**
     * Clears the browser's state, signs out at the provider, waits a second, and ends without a user. If the provider
     * does not answer, that is reported, and the state is still cleared.
     */
    async signOut() {
      await Promise.race([deps.logEnd('logout', 'asked for').catch(() => undefined), deps.wait(settleMs)])
      set({ status: 'inProgress', me: null, isUnauthorized: false, ending: 'signedOut', offline: null })
      memory.write('ending', 'signedOut')
      memory.write('signedIn', null)
      tokens.forget()
      deps.clear('signedOut')
      deps.tellTabs()
      try {
        await provider.signOut()
      } catch {
        deps.tellFailure()
      }
      await deps.wait(settleMs)
      end('signedOut')
    },

    /** The user has signed out in another tab. */
    endedElsewhere() {
      if (!tokens.current() && !state().offline) return
      end('signedOut')
      void provider.forget()
    },

    /** The signed-in user as the identity provider names them; undefined without tokens. */
    subject: () => tokens.current()?.subject,

    /** The current access token; renewed first when it is about to expire. */
    token: tokens.fresh,
    renew: tokens.renew,

    /** The server may have created an account for the signed-in user meanwhile. */
    async enter() {
      const currentTokens = tokens.current()
      if (currentTokens) await accept(currentTokens, 'succeeded')
    },

    /** The user has changed their own data. */
    updated(me: Me) {
      if (state().me?.id === me.id) set({ me })
    },
    /** The server reports changed rights; a user without access is refused here. */
    async lookAgain() {
      const me = await deps.loadMe().catch(() => undefined)
      if (me && state().me?.id === me.id) set({ me })
    },
    changePassword: deps.changePassword,

    /** The server refused a token that was just renewed, or, when `isBarred`, its user. */
    refused(isBarred: boolean) {
      if (!tokens.current()) return
      if (!isBarred) return void autoLogout('the server refused a renewed token')
      if (state().isUnauthorized) return
      set({ me: null, isUnauthorized: true })
      deps.clear('barred')
    },
  }
}

export type SessionStore = ReturnType<typeof createSession>
