import { ApiError } from '#portal/app/apiError.ts'

const name = 'key-files'

/** A merchant's file. Its address changes with its content, so the kept one is never outdated; the merchant's former one is removed. */
export async function fileOf(url: string): Promise<Blob> {
  const cache = await opened()
  const cached = await cache?.match(url)
  if (cached) return cached.blob()
  const response = await fetch(url).catch(() => undefined)
  if (!response) throw new ApiError('Unreachable')
  if (!response.ok) throw new ApiError(response.status === 404 ? 'NotFound' : 'ServiceUnavailable', response.status)
  if (cache) {
    const folder = url.slice(0, url.lastIndexOf('/'))
    for (const former of await cache.keys())
      if (new URL(former.url).pathname.startsWith(folder)) await cache.delete(former)
    await cache.put(url, response.clone()).catch(() => undefined)
  }
  return response.blob()
}

/** When a file was kept on this device; undefined if it is not. */
export async function keptAt(url: string): Promise<number | undefined> {
  const response = await (await opened())?.match(url)
  const date = response?.headers.get('date')
  return date ? Date.parse(date) : undefined
}

/** Some browsers refuse storage; then nothing is kept. */
const opened = async () => ('caches' in window ? caches.open(name).catch(() => undefined) : undefined)
