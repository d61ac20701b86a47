import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

/*
 * The service worker of the customers' app. It keeps the app itself and public pictures. Answers of the API pass through it untouched: the
 * page keeps them (`app/kept.ts`) and erases them when the customer signs out.
 */

/** What this file uses of a service worker's scope; the project's types are those of pages. */
declare const self: {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'message', listener: (event: { data?: { type?: string } }) => void): void
  addEventListener(type: 'activate', listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void
}

const files: { url: string; revision: string | null }[] = import.meta.env.PRECACHE
const parts = 'key-parts'
const pictures = 'key-pictures'
const mostPictures = 60

precacheAndRoute(files)
cleanupOutdatedCaches()

// All pages of all merchants are one file.
registerRoute(new NavigationRoute(createHandlerBoundToURL('/key-app/index.html'), { allowlist: [/^\/key\/[^.]+$/] }))

// Parts that load on demand: their names contain a digest.
registerRoute(({ url }) => url.pathname.startsWith('/key-app/assets/'), new CacheFirst({ cacheName: parts }))

/** Forgets the oldest pictures. */
const few = {
  cacheDidUpdate: async ({ cacheName }: { cacheName: string }) => {
    const cache = await caches.open(cacheName)
    const requests = await cache.keys()
    await Promise.all(requests.slice(0, Math.max(0, requests.length - mostPictures)).map((one) => cache.delete(one)))
  },
}
// Logos and pictures of posts never change under their address.
registerRoute(
  ({ url, request }) => request.destination === 'image' && url.pathname.startsWith('/api/v1/cogeskey/'),
  new CacheFirst({ cacheName: pictures, plugins: [few] }),
)

// The page decides when a new version takes over.
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
})
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), caches.delete(parts)]))
})
