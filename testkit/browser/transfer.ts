import type { Page } from 'playwright-core'

export interface Transfer {
  /** All bytes that the browser received: heads, compressed bodies and fonts. */
  bytes: number
  requests: { path: string; bytes: number }[]
}

/**
 * Counts what a page transfers from now on, by the browser's own count (`Network.loadingFinished` of the DevTools protocol). The live stream
 * never ends and is not counted; data addresses are not transferred.
 */
export async function countTransfer(page: Page): Promise<() => Transfer> {
  const session = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  const bytes = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    if (!request.url.startsWith('http')) return
    // A redirect keeps its id: its answer counts as a request of its own.
    if (redirectResponse) {
      const own = `${requestId} ${paths.get(requestId)}`
      paths.set(own, paths.get(requestId) ?? '')
      bytes.set(own, redirectResponse.encodedDataLength)
    }
    paths.set(requestId, new URL(request.url).pathname)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (paths.has(requestId)) bytes.set(requestId, encodedDataLength)
  })
  await session.send('Network.enable')
  return () => {
    const requests = [...bytes]
      .map(([id, size]) => ({ path: paths.get(id) ?? '', bytes: size }))
      .sort((one, other) => other.bytes - one.bytes)
    return { bytes: requests.reduce((sum, one) => sum + one.bytes, 0), requests }
  }
}
