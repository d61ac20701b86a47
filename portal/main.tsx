import './app/plainSchemas.ts'
import 'virtual:inter.css'
import './app/theme/tokens.css'
import './app/theme/base.css'
import '@mantine/core/styles.layer.css'
import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode, startTransition, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { type SpaConfiguration, spaConfiguration } from '#contract/platform/spa-configuration.ts'
import { call } from './app/api.ts'
import { awaitFirstScreen, firstScreenShown } from './app/firstScreen.ts'
import { loadWords, startWords } from './app/i18n/i18n.ts'
import { chooseLanguage } from './app/i18n/language.ts'
import { followNewerBuilds } from './app/newerBuild.ts'
import { queryClient } from './app/queryClient.ts'
import { report } from './app/reporting/report.ts'
import { early } from './app/session/early.ts'
import { keptSession } from './app/session/keptSession.ts'
import { useSession } from './app/session/useSession.ts'
import { remembered } from './app/theme/preferences.ts'
import { cssVariablesResolver, theme } from './app/theme/theme.ts'
import { isOutside, router } from './shell/router.tsx'
import { openSession } from './shell/session/openSession.ts'
import { SessionProvider } from './shell/session/SessionProvider.tsx'
import { takeMapTiles } from './ui/map/mapTiles.ts'
import { ErrorState } from './ui/part/ErrorState.tsx'
import { lazyPart, Part } from './ui/part/lazyPart.tsx'
import { Splash } from './ui/part/Splash.tsx'

followNewerBuilds()
// What a round needs is kept by the names of what was loaded.
performance.setResourceTimingBufferSize(1_500)
awaitFirstScreen((tell) =>
  // A sign-in passes through that page.
  router.subscribe('onRendered', ({ toLocation }) => toLocation.pathname !== '/signed-in' && tell()),
)

const schemes = localStorageColorSchemeManager({ key: 'gettone.scheme' })
/** If a part of the page fails, its parent says so; the error is also reported to the operator of the deployment. */
const tell = (error: unknown) => {
  console.error(error)
  report({ kind: 'error', error })
}
const root = createRoot(document.getElementById('root') as HTMLElement, { onCaughtError: tell, onUncaughtError: tell })
const show = (content: ReactNode) =>
  // Rendered in slices, like all large content.
  startTransition(() =>
    root.render(
      <StrictMode>
        <Themed>{content}</Themed>
      </StrictMode>,
    ),
  )

/** The theme; Mantine's own texts are in the language of the page. */
function Themed({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui')
  const close = t('close')
  const spoken = useMemo(
    () => mergeThemeOverrides(theme, { components: { CloseButton: { defaultProps: { 'aria-label': close } } } }),
    [close],
  )
  return (
    <MantineProvider
      theme={spoken}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      deduplicateInlineStyles
    >
      {children}
    </MantineProvider>
  )
}

const ToastStack = lazyPart(async () => ({ default: (await import('./app/toast/toast.tsx')).ToastStack }))

/** The place of toasts; it loads after the first screen, or its skeleton, and shows earlier messages. */
function Toasts() {
  const [isTime, setTime] = useState(false)
  useEffect(() => {
    const late = setTimeout(() => setTime(true), 3_000)
    const unsubscribe = router.subscribe('onRendered', ({ toLocation }) => {
      if (!isOutside(toLocation.pathname)) setTime(true)
    })
    return () => {
      clearTimeout(late)
      unsubscribe()
    }
  }, [])
  return <Part failed={() => null}>{isTime && <ToastStack />}</Part>
}

/** Routes once the session is known; pages outside the shell do not wait for that. */
function Routes({ isDevelopment }: { isDevelopment: boolean }) {
  const session = useSession()
  const isSplash = session.status === 'inProgress' && !session.me && !isOutside(location.pathname)
  // Guards run again when the user or their role changes.
  useEffect(() => {
    if (!isSplash) void router.invalidate()
  }, [session.me?.id, session.me?.role, session.me?.mayLicense, session.isUnauthorized, isSplash])
  return isSplash ? <Splash /> : <RouterProvider router={router} context={{ session, isDevelopment }} />
}

/** Reports and counts, if the deployment has a key for either; without one they are not loaded. */
async function startReports(configuration: SpaConfiguration): Promise<void> {
  const { startAnalytics, startReporting } = await import('./shell/startReporting.ts')
  await Promise.all([startReporting(configuration), startAnalytics(configuration)])
}

/** The code of the dashboard loads while the session begins. */
if (/^\/(?:signed-in|dashboard)?$/.test(location.pathname))
  import('./features/sales/dashboard/DashboardScreen.tsx').catch(() => undefined)

/** What is kept of a round opens the portal where the server does not answer. */
const patienceMs = 4_000

async function readConfiguration(): Promise<SpaConfiguration> {
  const first = early.configuration?.catch(() => undefined)
  const kept = keptSession()?.configuration
  if (!kept) return (await first) ?? call(spaConfiguration.getSpaConfiguration)
  const late = new Promise<undefined>((done) => setTimeout(() => done(undefined), patienceMs))
  return (await Promise.race([first, late])) ?? kept
}

/** The runtime configuration is fetched once and kept; the words of the language load in parallel. */
async function start() {
  const browser = navigator.languages
  const saved = remembered('language')
  const words = saved ? startWords(chooseLanguage({ saved, browser })) : undefined
  try {
    const configuration = await readConfiguration()
    takeMapTiles(configuration.mapTiles)
    await (words ?? startWords(chooseLanguage({ deployment: configuration.defaultLanguage, browser })))
    const session = openSession(configuration)
    show(
      <QueryClientProvider client={queryClient}>
        <SessionProvider session={session}>
          <Routes isDevelopment={configuration.development} />
          <Toasts />
        </SessionProvider>
      </QueryClientProvider>,
    )
    void firstScreenShown().then(() => loadWords(['errors']).catch(() => undefined))
    if (configuration.instrumentationKey || configuration.analyticsCode) void startReports(configuration)
  } catch (error) {
    await (words ?? startWords(chooseLanguage({ browser })))
    await loadWords(['errors']).catch(() => undefined)
    show(<ErrorState error={error} retry={start} />)
  }
}

void start()
