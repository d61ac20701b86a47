import { users } from '#contract/people/user.ts'
import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { call, connectTokens } from '../../app/api.ts'
import { ApiError, isLost } from '../../app/apiError.ts'
import { queryClient } from '../../app/queryClient.ts'
import { isServerReached } from '../../app/reachable.ts'
import { early } from '../../app/session/early.ts'
import { connectSignedIn, forgetSession, forgetStaleSession, keptSession } from '../../app/session/keptSession.ts'
import { cleanUp, onLogout } from '../../app/session/onLogout.ts'
import { openProvider } from '../../app/session/provider.ts'
import { createSession, type SessionDeps, type SessionStore } from '../../app/session/session.ts'
import { connectShellParts } from '../../app/session/shellParts.ts'
import { remember, remembered } from '../../app/theme/preferences.ts'
import { loadFirstScreen } from './loadFirstScreen.ts'

// The server's answers belong to the user; so does the selected merchant.
onLogout('answers', () => queryClient.clear())
onLogout('merchant', () => remember('merchant', ''))
const eraseKept = () => import('#portal/features/stock/offline/erase.ts').then(({ eraseKept }) => eraseKept())
onLogout('kept', () => forgetSession(eraseKept))
connectShellParts(() =>
  Promise.all([import('../menu/menus.tsx'), import('../menu/screenIcons.tsx'), import('./LoginScreen.tsx')]),
)

/** The reason of the session's end is kept for this tab; whether there was a session, also for the next visit. */
const stores = { ending: () => sessionStorage, signedIn: () => localStorage, unsent: () => localStorage }
const memory: SessionDeps['memory'] = {
  read(key) {
    try {
      return stores[key]().getItem(`gettone.session.${key}`)
    } catch {
      return null
    }
  },
  write(key, value) {
    try {
      if (value === null) stores[key]().removeItem(`gettone.session.${key}`)
      else stores[key]().setItem(`gettone.session.${key}`, value)
    } catch {
      // A browser without storage requires a new sign-in.
    }
  },
}

const refusals: readonly string[] = ['UnauthorizedUserException', 'Forbidden', 'SecondFactorRequired']
const isRefusal = (error: unknown) => error instanceof ApiError && refusals.includes(error.code)
const isWeak = (error: unknown) => error instanceof ApiError && error.code === 'SecondFactorRequired'

/** On a bad line the kept page opens soon; the server is looked for again. */
const reachMs = 4_000
const lookMs = 15_000

const offline: SessionDeps['offline'] = {
  user: keptSession,
  restore: (userId) =>
    import('#portal/features/stock/offline/keptAnswers.ts')
      .then(({ restoreAnswers }) => restoreAnswers(queryClient, userId))
      .catch(() => undefined),
  isReached: () => isServerReached(reachMs),
  isLost,
  whenBack(look) {
    const timer = setInterval(look, lookMs)
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  },
}

function open(configuration: SpaConfiguration) {
  const tabs = new BroadcastChannel('gettone.session')
  const session = createSession({
    provider: early.provider ?? openProvider(configuration, () => remembered('language')),
    loadMe: () => call(users.getMe),
    loadFirst: loadFirstScreen,
    isRefusal,
    isWeak,
    logEnd: (type, reason) => call(users.logSessionEvent, { body: { type, reason } }),
    clear: cleanUp,
    changePassword: () => window.location.assign(configuration.changePasswordAuthority),
    tellFailure: () =>
      void import('#portal/app/toast/toast.tsx').then(({ toast }) => toast.error('session:notWorking')),
    tellTabs: () => tabs.postMessage('signedOut'),
    memory,
    offline,
    now: Date.now,
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  })
  tabs.onmessage = () => session.endedElsewhere()
  connectSignedIn(() => {
    const { me } = session.state()
    const subject = session.subject()
    return me && subject !== undefined ? { subject, me, configuration } : undefined
  })
  connectTokens({ ...session, refused: (failure) => session.refused(isRefusal(failure)) })
  return session
}

/**
 * Opens the session of this page, once, before anything is drawn: a component may begin again while its words load, and would leave the tokens to
 * a session without a page. Checks with the provider at once whether the user is still signed in.
 */
export function openSession(configuration: SpaConfiguration): SessionStore {
  const opened = open(configuration)
  forgetStaleSession(eraseKept)
  const here = window.location
  // The page that the provider returns to waits for neither its code nor its words. A wall display has no session, and must never leave its
  // page for one.
  if (here.pathname === '/signed-in') early.next ??= opened.complete(here.href)
  else if (here.pathname !== '/kiosk') void opened.start(here.pathname + here.search + here.hash)
  return opened
}
