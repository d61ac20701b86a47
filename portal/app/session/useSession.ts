import { createContext, use, useSyncExternalStore } from 'react'
import type { Me } from '#contract/people/user.ts'
import type { SessionState, SessionStore } from './session.ts'

export const SessionContext = createContext<SessionStore | undefined>(undefined)

export interface Session extends SessionState {
  /** Redirects to the identity provider, and afterwards to `returnTo`, by default the dashboard. */
  signIn: (returnTo?: string) => Promise<void>
  /** Handles the provider's answer at `/signed-in`; resolves to the next address. */
  complete: (url: string) => Promise<string>
  /** Retries the failed start. */
  retry: (here: string) => Promise<void>
  logout: () => Promise<void>
  /** Loads the user again, once the server has their account. */
  enter: () => Promise<void>
  /** Takes over the server's answer to a change of the user's own data. */
  updated: (me: Me) => void
  /** Loads the user and their rights from the server again. */
  lookAgain: () => Promise<void>
  /** Redirects to the page that changes the password, which returns to the profile. */
  changePassword: () => void
}

/** The signed-in user, and the actions of the session. */
export function useSession(): Session {
  const store = use(SessionContext)
  if (!store) throw new Error('There is no SessionProvider above')
  const state = useSyncExternalStore(store.subscribe, store.state)
  return {
    ...state,
    signIn: store.signIn,
    complete: store.complete,
    retry: store.start,
    logout: store.signOut,
    enter: store.enter,
    updated: store.updated,
    lookAgain: store.lookAgain,
    changePassword: store.changePassword,
  }
}
