import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { hereOf } from '../app/here.ts'
import { keepReports, report, takeReports } from '../app/reporting/report.ts'
import { router } from './router.tsx'

/** The current screen, as in the table of screens: `/devices/$posId` and never the machine's id. */
const pageShown = (): string => {
  const { matches, location } = router.state
  return hereOf(matches)?.screen.path ?? (/^\/[\w-]*$/.test(location.pathname) ? location.pathname : '/')
}

/** Reports uncaught errors and failed calls to Application Insights. Without a key nothing is loaded. */
export async function startReporting({ instrumentationKey, version }: SpaConfiguration): Promise<void> {
  if (!instrumentationKey) return
  keepReports()
  window.addEventListener('error', ({ error, message }) => report({ kind: 'error', error: error ?? message }))
  window.addEventListener('unhandledrejection', ({ reason }) => report({ kind: 'error', error: reason }))
  const { connect } = await import('../app/reporting/insights.ts')
  takeReports(connect(instrumentationKey, version, pageShown))
}

/** Counts pages with a Google tag, if the deployment has one. */
export async function startAnalytics({ analyticsCode }: SpaConfiguration): Promise<void> {
  if (!analyticsCode) return
  const { countPages } = await import('../app/reporting/analytics.ts')
  const tell = countPages(analyticsCode)
  tell(pageShown())
  router.subscribe('onRendered', () => tell(pageShown()))
}
