import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { openProvider } from './app/session/provider.ts'
import { safeReturn } from './app/session/returnTo.ts'

// The page's first code. A visitor without a session here is sent to the identity provider before the portal loads; a visitor with a
// session at the provider comes back at once.

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

async function signIn(): Promise<void> {
  const answer = await fetch('/api/v1/spa-configuration')
  if (!answer.ok) throw new Error(`The configuration was refused: ${answer.status}`)
  const configuration = (await answer.json()) as SpaConfiguration
  const returnTo = safeReturn(location.pathname + location.search + location.hash)
  await openProvider(configuration, () => saved(() => localStorage, 'language') ?? undefined).redirect({
    returnTo,
    isSilent: false,
  })
}

const open = () => import('./main.tsx')

// The portal shows the fault, and tries again.
if (isNewcomer()) signIn().catch(open)
else void open()
