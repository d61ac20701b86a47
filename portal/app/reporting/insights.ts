import { ApplicationInsights, type ITelemetryItem } from '@microsoft/applicationinsights-web'
import { withoutNames } from '#domain/machines/telemetry.ts'
import type { Report } from './report.ts'

/** The browser facts allowed in a telemetry item; all others are removed. */
const tagsKept = ['ai.internal.sdkVersion', 'ai.application.ver']

/**
 * Connects to Application Insights. It stores nothing in the browser (no cookie, no storage), tracks no calls and pages
 * automatically, and has no user or session: only errors reported here are sent, without names.
 */
export function connect(key: string, version: string, pageShown: () => string): (report: Report) => void {
  const insights = new ApplicationInsights({
    config: {
      ...(key.includes('=') ? { connectionString: key } : { instrumentationKey: key }),
      cookieCfg: { enabled: false },
      isStorageUseDisabled: true,
      enableSessionStorageBuffer: false,
      disableAjaxTracking: true,
      disableFetchTracking: true,
      disableExceptionTracking: true,
      enableAutoRouteTracking: false,
      disableCorrelationHeaders: true,
      disableDataLossAnalysis: true,
      maxBatchInterval: 1_000,
      loggingLevelTelemetry: 0,
    },
  })
  insights.loadAppInsights()
  insights.addTelemetryInitializer((item) => anonymous(item, version, pageShown()))
  return (one) => {
    if (one.kind === 'call') {
      const { kind: _, ...facts } = one
      insights.trackEvent({ name: 'failed call' }, { ...facts, page: pageShown() })
    } else {
      insights.trackException({ exception: nameless(one.error) }, { page: pageShown() })
    }
  }
}

/** The same error without names in its message and stack. */
function nameless(error: unknown): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const nameless = new Error(withoutNames(message))
  nameless.name = name
  nameless.stack = stack ? withoutNames(stack) : undefined
  return nameless
}

function anonymous(item: ITelemetryItem, version: string, page: string) {
  const tags = (item.tags ?? []) as Record<string, unknown>
  for (const tag of Object.keys(tags)) if (!tagsKept.includes(tag)) delete tags[tag]
  tags['ai.application.ver'] = version
  tags['ai.operation.name'] = page
  item.ext = {}
  if (item.baseData && 'url' in item.baseData) item.baseData.url = page
}
