import { Workbox } from 'workbox-window'

const hourMs = 3_600_000
/** Right after its start, a reload interrupts nothing. */
const startMs = 10_000

/** Reasons not to reload now, such as a payment under way. */
const reasons = new Set<string>()
/** Holds updates back while something is under way; returns the release. */
export function holdUpdates(reason: string) {
  reasons.add(reason)
  return () => {
    reasons.delete(reason)
  }
}

/** Installs the service worker. A new version takes over at the start, or when the page is next hidden. */
export function followUpdates(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const started = Date.now()
  const workbox = new Workbox('/key/sw.js', { scope: '/key/', updateViaCache: 'none' })
  let isWaiting = false
  const takeOver = () => {
    if (isWaiting && reasons.size === 0) workbox.messageSkipWaiting()
  }
  workbox.addEventListener('waiting', () => {
    isWaiting = true
    if (Date.now() - started < startMs || document.hidden) takeOver()
  })
  workbox.addEventListener('controlling', ({ isUpdate }) => {
    if (isUpdate && reasons.size === 0) window.location.reload()
  })
  let checked = started
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return takeOver()
    if (Date.now() - checked < hourMs) return
    checked = Date.now()
    void workbox.update().catch(() => undefined)
  })
  void workbox.register().catch(() => undefined)
}
