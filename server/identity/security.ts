import type { IncomingMessage } from 'node:http'

/**
 * Headers of all our pages: only our own files load and run, no framing, no caching. The referrer stays on this site, since
 * the address may contain a one-time link.
 */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // The portal opens the sign-in in a popup, which answers its opener.
  'cross-origin-opener-policy': 'unsafe-none',
} as const

/** The portal may frame the provider's answers, to renew tokens silently. */
export const providerHeaders = {
  ...pageHeaders,
  'content-security-policy': pageHeaders['content-security-policy'].replace(
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
  ),
} as const

/**
 * Whether a form was sent from a page of the same origin. Browsers send Sec-Fetch-Site or Origin. A request with neither is
 * not from a browser, and has only the sender's own cookies.
 */
export function isSameOrigin({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === origin
}
