import { pagePrefix } from './places.ts'

/*
 * The service worker of the staff portal. Only users who have opened a round get it. It shows the page that `keepPage.ts` has kept where the
 * server can't be reached, and stores nothing itself. Answers of the API pass through it untouched.
 */

/** What this file uses of a service worker's scope; the project's types are those of pages. */
interface Fetching {
  request: Request
  respondWith(answer: Promise<Response>): void
}
declare const self: {
  location: Location
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install', listener: () => void): void
  addEventListener(type: 'activate', listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
}

/** How long a page of the server may take before the kept page is shown. */
const patienceMs = 4_000
/** First parts of addresses of the server, and of the customers' app. */
const others = ['api', 'identity', 'mailbox', 'device', 'health', 'metrics', 'key', 'key-app', 'm']

/** Whether the address is a page of this app, and no file. */
const isPage = (path: string) =>
  !others.includes(path.split('/')[1] ?? '') && !path.slice(path.lastIndexOf('/')).includes('.')

/** From the caches of this worker alone: the customers' app has its own. */
async function keptAnswer(path: string): Promise<Response | undefined> {
  for (const name of await caches.keys()) {
    const kept = name.startsWith(pagePrefix) ? await (await caches.open(name)).match(path) : undefined
    if (kept) return kept
  }
  return undefined
}

const wait = (ms: number) => new Promise<undefined>((done) => setTimeout(() => done(undefined), ms))
/** A proxy without its server. */
const isAway = ({ status }: Response) => status >= 502 && status <= 504

/** The server's page, or where it can't be reached the kept page, which all addresses share. */
async function pageFor(request: Request): Promise<Response> {
  const fetched = fetch(request).then(
    (answer) => ({ answer }),
    () => ({ answer: undefined }),
  )
  const first = await Promise.race([fetched, wait(patienceMs)])
  if (first?.answer && !isAway(first.answer)) return first.answer
  return (await keptAnswer('/')) ?? (await fetched).answer ?? Response.error()
}

/** The names of parts contain a digest of their content. */
const partFor = async (request: Request) => (await keptAnswer(new URL(request.url).pathname)) ?? fetch(request)

/** Small files under fixed names. */
const plainFileFor = (request: Request) =>
  fetch(request).catch(async () => (await keptAnswer(new URL(request.url).pathname)) ?? Response.error())

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (request.destination === 'document' && isPage(pathname)) event.respondWith(pageFor(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(partFor(request))
  else if (['/scheme.js', '/favicon.svg'].includes(pathname)) event.respondWith(plainFileFor(request))
})
