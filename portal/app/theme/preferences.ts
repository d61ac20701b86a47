import { useSyncExternalStore } from 'react'

/** A user's preferences in their browser; nothing here names a customer or a machine. */
interface Preferences {
  language: string
  scheme: 'light' | 'dark' | 'auto'
  density: 'dense' | 'comfortable'
  /** Whether money is written in the format of its currency's country, or of the language. */
  money: 'currency' | 'language'
  menu: 'open' | 'icons'
  merchant: string
  /** That of the last pick list. */
  warehouse: string
  /** Paths of screens, separated by spaces. */
  pinnedScreens: string
  recentScreens: string
}
type Key = keyof Preferences

const listeners = new Set<() => void>()
const memory = new Map<string, string | null>()

/** A browser may refuse its storage (private windows, full disks); the preference then lasts as long as the page. */
export function remembered<K extends Key>(key: K): Preferences[K] | undefined {
  const name = `gettone.${key}`
  if (!memory.has(name)) {
    try {
      memory.set(name, localStorage.getItem(name))
    } catch {
      memory.set(name, null)
    }
  }
  return (memory.get(name) ?? undefined) as Preferences[K] | undefined
}

export function remember<K extends Key>(key: K, value: Preferences[K]) {
  const name = `gettone.${key}`
  memory.set(name, value)
  try {
    localStorage.setItem(name, value)
  } catch {
    // The preference lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A preference and its setter; every part of the page that uses it follows. */
export function usePreference<K extends Key>(
  key: K,
  otherwise: Preferences[K],
): [Preferences[K], (value: Preferences[K]) => void] {
  const value = useSyncExternalStore(subscribe, () => remembered(key)) ?? otherwise
  return [value, (next) => remember(key, next)]
}
