/** The default address for Application Insights telemetry when only a key is known. */
const ingestion = 'https://dc.services.visualstudio.com'
const key = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const partsOf = (text: string) =>
  new Map(
    text.split(';').flatMap((part) => {
      const at = part.indexOf('=')
      return at > 0 ? [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const] : []
    }),
  )

/**
 * The origin to which errors are reported with a connection string (`InstrumentationKey=…;IngestionEndpoint=https://…`) or a bare
 * instrumentation key; nothing when it is neither.
 */
export function ingestionOriginOf(text: string): string | undefined {
  if (key.test(text.trim())) return ingestion
  const parts = partsOf(text)
  if (!key.test(parts.get('instrumentationkey') ?? '')) return undefined
  const endpoint = URL.parse(parts.get('ingestionendpoint') ?? ingestion)
  return endpoint && /^https?:$/.test(endpoint.protocol) ? endpoint.origin : undefined
}

/** A Google tag: of Analytics (`G-…`), of all Google's tags (`GT-…`), or an older property (`UA-…`). */
export const isAnalyticsCode = (text: string): boolean => /^(G|GT|UA)-[A-Z0-9-]{4,30}$/.test(text)

/** Origins that a Google tag is loaded from and reports to. */
export const analyticsOrigins = {
  script: ['https://www.googletagmanager.com'],
  connect: ['https://www.googletagmanager.com', 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
} as const

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  // The rest of an address names machines, people and search texts.
  [/\?[^\s)'"<>]*/g, ''],
  [/\d{6,}/g, '<number>'],
]

const longest = 4_000

/** Words with `@` are addresses. */
const withoutAddresses = (text: string) =>
  text.replace(/[^\s<>()[\]"',;:]+/g, (word) => (word.includes('@') ? '<address>' : word))

/** An error text without identifying parts: addresses, ids, searches, long numbers. */
export const withoutNames = (text: string): string =>
  shapes
    .reduce(
      (shortened, [shape, instead]) => shortened.replace(shape, instead),
      withoutAddresses(text.slice(0, 2 * longest)),
    )
    .slice(0, longest)
