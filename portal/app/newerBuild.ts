import { isServerReached } from './reachable.ts'

const key = 'gettone.reloadedAt'
/** If a part is still missing just after a reload, an outdated build is not the reason. */
const pauseMs = 60_000

/** Whether a page with a missing part should be reloaded, given the time of the last reload. */
export const shouldReload = (lastReload: number, now: number): boolean => !(now - lastReload < pauseMs)

/** Whether the server's page is of another build than ours, identified by our script. */
export const isOtherBuild = (html: string, script: string): boolean => !html.includes(script)

/** What identifies the build of this page: its script. */
export const buildOfPage = () =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src') ?? undefined

/**
 * A new build on the server removes the parts of the old one, so an open tab is reloaded at the same address. Parts
 * also fail to load without a connection, and a reload would then lose the screen: so the server is checked first.
 */
export function followNewerBuilds(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfNewer())
}

/** Reloads the page at its address if the server has another build, at most once a minute. Without a connection nothing happens. */
export async function reloadIfNewer(): Promise<void> {
  const now = Date.now()
  if (!shouldReload(Number(sessionStorage.getItem(key) ?? Number.NaN), now)) return
  const ours = buildOfPage()
  const html = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    .then((answer) => (answer.ok ? answer.text() : undefined))
    .catch(() => undefined)
  if (!ours || html === undefined || !isOtherBuild(html, ours)) return
  sessionStorage.setItem(key, String(now))
  window.location.reload()
}

/** Reloads the page once the server answers, for a part that browsers do not request again. */
export async function reloadWhenReached(): Promise<void> {
  if (await isServerReached()) window.location.reload()
}
