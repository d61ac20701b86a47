import { isServerReached } from './reachable.ts'

const key = 'gettone.reloadedAt'
/** A page that was just loaded anew and still lacks a part has another trouble than its age. */
const pauseMs = 60_000

/** Whether a page that lacks one of its parts should be loaded anew, given when that was last done. */
export const shouldReload = (lastReload: number, now: number): boolean => !(now - lastReload < pauseMs)

/** Whether the server's page is of another build than ours, which began with that script. */
export const isOtherBuild = (html: string, script: string): boolean => !html.includes(script)

/**
 * When the server has a newer build, the parts of the older one are gone: an open tab is then loaded anew, at the same address.
 * Where the connection is gone parts do not come either, and a tab that loads itself anew would lose what it still shows: so the
 * server is asked first.
 */
export function followNewerBuilds(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfNewer())
}

async function reloadIfNewer(): Promise<void> {
  const now = Date.now()
  if (!shouldReload(Number(sessionStorage.getItem(key) ?? Number.NaN), now)) return
  const ours = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')
  const html = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    .then((answer) => (answer.ok ? answer.text() : undefined))
    .catch(() => undefined)
  if (!ours || html === undefined || !isOtherBuild(html, ours)) return
  sessionStorage.setItem(key, String(now))
  window.location.reload()
}

/** Loads the page anew once the server answers, for a part that browsers will not ask for again. */
export async function reloadWhenReached(): Promise<void> {
  if (await isServerReached()) window.location.reload()
}
