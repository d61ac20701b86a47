import type { Me } from '#contract/people/user.ts'
import type { Ending } from './onLogout.ts'
import { faultOf, type SignInProvider, type Tokens } from './signIn.ts'
import type { OpenTokens } from './tokens.ts'

/** Work without a network: who may do it here, what their screens show, and when the server is back. */
export interface OfflineDeps {
  /** The user who has opened a round here, as they are kept on this phone. */
  user: () => { subject: string; me: Me } | undefined
  /** Gives the screens what is kept of the user. */
  restore: (userId: string) => Promise<void>
  isReached: () => Promise<boolean>
  /** Whether a failed call got no answer of the server. */
  isLost: (error: unknown) => boolean
  /** Calls from time to time, while the server may be back, until the returned function is called. */
  whenBack: (look: () => void) => () => void
}

/** `away`: the server can't be reached; `back`: the user must sign in to continue. */
export type Offline = 'away' | 'back' | null

interface Deps {
  provider: SignInProvider
  memory: { write: (key: 'signedIn' | 'unsent', value: string | null) => void }
  offline: OfflineDeps
}

/** What follows in the session. */
interface Begun {
  status: 'succeeded'
  me: Me
  isUnauthorized: boolean
  ending: null
  offline: 'away'
}

interface OfSession {
  state: () => { me: Me | null; offline: Offline }
  set: (changed: Begun | { offline: 'back' }) => void
  tokens: OpenTokens
  accept: (next: Tokens, status: 'succeeded') => Promise<void>
  end: (ending: Ending) => void
}

/** The work of a user who has opened a round here, while the server can't be reached: without tokens, so nothing of it opens the server. */
export function openOfflineWork({ provider, memory, offline }: Deps, { state, set, tokens, accept, end }: OfSession) {
  let stop: (() => void) | undefined
  let isComingBack = false

  /** The session begins again. A provider of another site would lead away from the page, so the user decides when. */
  async function comeBack(): Promise<void> {
    if (!(await offline.isReached()) || state().offline !== 'away') return
    if (!provider.isSameSite) return set({ offline: 'back' })
    try {
      const next = await provider.silent()
      // The user may have signed out meanwhile.
      if (state().offline === 'away') await accept(next, 'succeeded')
    } catch (error) {
      const { kind, message } = faultOf(error)
      if (kind === 'transient' || state().offline !== 'away') return
      memory.write('unsent', message.slice(0, 200))
      end('autoLogout')
      await provider.forget()
    }
  }

  async function look(): Promise<void> {
    if (isComingBack || state().offline !== 'away') return
    // What is kept opens the portal for a working day.
    if (!offline.user()) return end('autoLogout')
    isComingBack = true
    await comeBack().finally(() => {
      isComingBack = false
    })
  }

  return {
    /** Continues as that user; false without a kept user, or if it is not the signed-in user. */
    async begin(): Promise<boolean> {
      const subject = tokens.current()?.subject
      const isOwner = () => {
        const owner = offline.user()?.subject
        return owner !== undefined && (subject === undefined || subject === owner)
      }
      const kept = offline.user()
      if (!kept || !isOwner()) return false
      await offline.restore(kept.me.id)
      // The session may have ended meanwhile.
      if (!isOwner()) return false
      tokens.forget()
      memory.write('signedIn', 'yes')
      set({ status: 'succeeded', me: state().me ?? kept.me, isUnauthorized: false, ending: null, offline: 'away' })
      stop ??= offline.whenBack(() => void look())
      return true
    },
    stopLooking(): void {
      stop?.()
      stop = undefined
    },
  }
}
