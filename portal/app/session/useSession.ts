import { createContext, use, useSyncExternalStore } from 'react'
import type { Me } from '#contract/people/user.ts'
import type { SessionState, SessionStore } from './session.ts'

export const SessionContext = createContext<SessionStore | undefined>(undefined)

export interface Session extends SessionState {
  /** Goes to the identity provider, and afterwards to `returnTo`, by default the dashboard. */
  signIn: (returnTo?: string) => Promise<void>
  /** Takes the provider's answer at `/signed-in`; resolves to where to go on. */
  complete: (url: string) => Promise<string>
  /** Tries again what failed at the start. */
  retry: (here: string) => Promise<void>
  logout: () => Promise<void>
  /** Finds out anew who has signed in, once the server knows them. */
  enter: () => Promise<void>
  /** Tells the portal what the server answered to a change of one's own data. */
  updated: (me: Me) => void
  /** Asks the server again who the person is and what they may. */
  lookAgain: () => Promise<void>
  /** Leaves for the change-password authority, whose page leads back to the profile. */
  changePassword: () => void
}

/** Who is signed in, and how to change that. */
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
