const key = 'gettone.reloadedAt'
/** A page that was just loaded anew and still lacks a part has another trouble than its age. */
const pauseMs = 60_000

/** Whether a page that lacks one of its parts should be loaded anew, given when that was last done. */
export const shouldReload = (lastReload: number, now: number): boolean => !(now - lastReload < pauseMs)

/** When the server has a newer build, the parts of the older one are gone: an open tab is then loaded anew, at the same address. */
export function followNewerBuilds(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const now = Date.now()
    if (!shouldReload(Number(sessionStorage.getItem(key) ?? Number.NaN), now)) return
    event.preventDefault()
    sessionStorage.setItem(key, String(now))
    window.location.reload()
  })
}
