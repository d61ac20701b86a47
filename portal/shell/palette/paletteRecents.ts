import { onLogout } from '#portal/app/session/onLogout.ts'
import type { PaletteResult } from './paletteSources.ts'

/** An entry opened from the palette; `group` is its kind. */
export interface Recent extends PaletteResult {
  group: string
}

const name = 'gettone.recent'
const most = 5

/** Names of machines are the merchant's own: they stay in this tab, and end with the session. */
onLogout('recent', () => {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Without browser storage there is nothing to clear.
  }
})

const isRecent = (one: unknown): one is Recent => {
  const { id, label, group, place } = (one ?? {}) as Partial<Recent>
  return [id, label, group, place?.to].every((text) => typeof text === 'string')
}

/** The entries opened last, the latest first. */
export function recents(): Recent[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

export function rememberRecent(opened: Recent) {
  try {
    const others = recents().filter(({ id }) => id !== opened.id)
    sessionStorage.setItem(name, JSON.stringify([opened, ...others].slice(0, most)))
  } catch {
    // Without browser storage there are no recent entries.
  }
}

/** The same entries, recently opened ones first. */
export function recentFirst<T extends { id: string }>(entries: readonly T[], lately: readonly Recent[]): T[] {
  const rank = (id: string) => {
    const at = lately.findIndex((one) => one.id === id)
    return at < 0 ? lately.length : at
  }
  return [...entries].sort((a, b) => rank(a.id) - rank(b.id))
}
