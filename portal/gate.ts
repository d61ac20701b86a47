import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { early } from './app/session/early.ts'
import { openProvider } from './app/session/provider.ts'
import { safeReturn } from './app/session/returnTo.ts'

// The page's first code. A visitor without a session here is sent to the identity provider before the portal loads; a visitor with a
// session at the provider comes back at once. What a page needs of the server, it requests while the portal loads.

/** The portal's own pages for visitors without a session. */
const outside = /^\/(?:login|signed-in|unauthorized|invitation|confirm-client-data|kiosk)(?:\/|$)/

const saved = (store: () => Storage, key: string) => {
  try {
    return store().getItem(`gettone.${key}`)
  } catch {
    return null
  }
}

/** Who was signed in here, or has just been signed out, is the portal's own matter (`app/session/session.ts`). */
const isNewcomer = () =>
  !outside.test(location.pathname) &&
  saved(() => localStorage, 'session.signedIn') === null &&
  saved(() => sessionStorage, 'session.ending') === null

async function loadConfiguration(): Promise<SpaConfiguration> {
  const answer = await fetch('/api/v1/spa-configuration')
  if (!answer.ok) throw new Error(answer.statusText)
  return (await answer.json()) as SpaConfiguration
}

const providerOf = (configuration: SpaConfiguration) =>
  openProvider(configuration, () => saved(() => localStorage, 'language') ?? undefined)

async function signIn(configuration: Promise<SpaConfiguration>): Promise<void> {
  const returnTo = safeReturn(location.pathname + location.search + location.hash)
  await providerOf(await configuration).redirect({ returnTo, isSilent: false })
}

/** Exchanges the code in the address for tokens. */
const complete = (configuration: SpaConfiguration) => {
  early.provider = providerOf(configuration)
  return early.provider.complete(location.href)
}

const open = () => import('./main.tsx')

early.configuration = loadConfiguration()
// The portal shows a fault, and tries again.
if (isNewcomer()) signIn(early.configuration).catch(open)
else {
  early.configuration
    .then<unknown>((configuration) => location.pathname === '/signed-in' && complete(configuration))
    .catch(() => undefined)
  void open()
}
