/** A machine's sign-in, and the origin of the one portal that it uses it at, such as `https://portal.example.com`. */
export interface PortalAccess {
  /** Without it the machine fetches nothing. */
  portal: string | undefined
  serial: string
  secret: string
}

/** An address that is not the machine's portal. */
export class ForeignAddressError extends Error {}

/**
 * Requests a file with the machine's secret, from its own portal alone: another address gets no request, and a redirect is not followed.
 * Throws ForeignAddressError.
 */
export async function fetchFromPortal(
  address: string | URL,
  { portal, serial, secret }: PortalAccess,
  { headers = {}, signal }: { headers?: Record<string, string>; signal: AbortSignal },
): Promise<Response> {
  const url = URL.parse(String(address))
  if (!url || portal === undefined || url.origin !== new URL(portal).origin) throw new ForeignAddressError()
  const authorization = `Basic ${Buffer.from(`${serial}:${secret}`).toString('base64')}`
  return fetch(url, { headers: { ...headers, authorization }, signal, redirect: 'error' })
}
