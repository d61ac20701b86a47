import type { Page } from 'playwright-core'

/** A slow mobile connection: each request waits 400 ms, and all share 60 kB per second. */
export const slowLine = { latencyMs: 400, bytesPerSecond: 60_000 }

/** A request that went over the line, in milliseconds of the browser's clock. */
export interface Trip {
  path: string
  from: number
  to: number
  bytes: number
}

/**
 * Slows the line of a page by the DevTools protocol, and records what goes over it. The browser's cache and the live stream do not
 * count; a redirect is a trip of its own.
 */
export async function onSlowLine(page: Page, line = slowLine): Promise<() => Trip[]> {
  const session = await page.context().newCDPSession(page)
  const begun = new Map<string, { path: string; from: number; isCached?: boolean }>()
  const trips: Trip[] = []
  const end = (requestId: string, to: number, bytes: number) => {
    const request = begun.get(requestId)
    begun.delete(requestId)
    if (request && !request.isCached)
      trips.push({ path: request.path, from: request.from * 1000, to: to * 1000, bytes })
  }
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, redirectResponse }) => {
    if (redirectResponse) end(requestId, timestamp, redirectResponse.encodedDataLength)
    if (request.url.startsWith('http')) begun.set(requestId, { path: new URL(request.url).pathname, from: timestamp })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => begun.delete(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) begun.delete(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    end(requestId, timestamp, encodedDataLength),
  )
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: line.bytesPerSecond,
    uploadThroughput: line.bytesPerSecond,
  })
  return () => [...trips].sort((one, other) => one.from - other.from)
}

/** The longest row of trips of which each begins after the one before it: so often the page waited for the line. */
export function waitsIn(trips: readonly Trip[]): Trip[] {
  const chain: Trip[] = []
  for (const trip of [...trips].sort((one, other) => one.to - other.to))
    if (trip.from >= (chain.at(-1)?.to ?? Number.NEGATIVE_INFINITY)) chain.push(trip)
  return chain
}
