import { loadWords } from '#portal/app/i18n/i18n.ts'
import { buildOfPage, isOtherBuild } from '#portal/app/newerBuild.ts'
import { loadShellParts } from '#portal/app/session/shellParts.ts'
import { pagePrefix, workerPath } from './places.ts'

/** Of the screens of a round, and of parts that appear on them later. */
const words = [
  ...['round', 'visit', 'piece', 'list', 'editing', 'machine-event', 'assigned'],
  ...['errors', 'form', 'palette', 'session', 'vocabulary'],
]
/** Files of the page whose names have no digest. */
const plainFiles = ['/scheme.js', '/favicon.svg']

/** Loads all that a round may need, so that the browser knows it. */
async function loadParts(): Promise<void> {
  await Promise.all([
    import('../round/RoundListScreen.tsx'),
    import('../round/StopsTab.tsx'),
    import('../round/PickListTab.tsx'),
    import('../picking/PickingList.tsx'),
    import('../visit/VisitScreen.tsx'),
    import('./OfflineNote.tsx'),
    import('../outbox/OutboxSender.tsx'),
    import('./erase.ts'),
    import('#portal/app/toast/toast.tsx'),
    import('#portal/ui/form/keptInput.ts'),
    loadShellParts(),
    loadWords(words),
  ])
}

const isPart = (address: string) => {
  const { origin, pathname } = new URL(address)
  return origin === window.location.origin && (pathname.startsWith('/assets/') || plainFiles.includes(pathname))
}

/** From the browser's own cache: a part was loaded just now, and never changes under its name. */
const keepPart = async (cache: Cache, address: string) => {
  if (!(await cache.match(address))) await cache.add(address)
}

let isKeeping = false
/** The cache of this page, with all its parts. */
let kept: Cache | undefined

/**
 * Keeps the page with the parts that a round needs, so that it opens without a network. All of them are of one build: the page of a newer one
 * is not kept by an older, and the page itself comes last.
 */
export async function keepPage(): Promise<void> {
  const build = buildOfPage()
  if (kept || isKeeping || !build || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isKeeping = true
  try {
    await loadParts()
    await navigator.serviceWorker.register(workerPath, { updateViaCache: 'none' })
    const page = await fetch('/', { cache: 'no-store' })
    if (!page.ok || isOtherBuild(await page.clone().text(), build)) return
    const name = pagePrefix + build
    const cache = await caches.open(name)
    const seen = performance.getEntriesByType('resource').map((entry) => entry.name)
    await Promise.all(
      [...seen, ...plainFiles.map((file) => window.location.origin + file)]
        .filter(isPart)
        .map((part) => keepPart(cache, part)),
    )
    await cache.put('/', page)
    const older = (await caches.keys()).filter((one) => one.startsWith(pagePrefix) && one !== name)
    await Promise.all(older.map((one) => caches.delete(one)))
    kept = cache
    keepLaterParts(cache)
  } finally {
    isKeeping = false
  }
}

let observer: PerformanceObserver | undefined

/** What the user opens later on the round is kept too. */
function keepLaterParts(cache: Cache): void {
  observer = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) if (isPart(name)) void keepPart(cache, name).catch(() => undefined)
  })
  observer.observe({ type: 'resource' })
}

/** The session has ended. */
export function stopKeepingPage(): void {
  kept = undefined
  observer?.disconnect()
}
