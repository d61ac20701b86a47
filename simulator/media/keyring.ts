import type { Random } from '../random.ts'

/** What is written on a key. Minor units, and its own counter of uses. */
export interface KeyContent {
  keyCredit: number
  keyCounter: number
}

/** The keys of the customers of some machines; they are the same at each machine. */
export interface Keyring {
  /** Uses a key: its credit changes, and its counter grows. Null when its credit is too small, and nothing changes. */
  use(serial: string, change: number): KeyContent | null
  creditOf(serial: string): number
}

const minuteMs = 60_000

/**
 * Keys get their first credit when they are first used. Their counters start at the minute of that moment: after a restart each is higher than
 * before, since no key is used every minute.
 */
export function openKeyring(random: Random): Keyring {
  const keys = new Map<string, KeyContent>()
  const keyOf = (serial: string) => {
    let key = keys.get(serial)
    if (!key) {
      key = { keyCredit: random.int(4, 60) * 50, keyCounter: Math.floor(Date.now() / minuteMs) }
      keys.set(serial, key)
    }
    return key
  }
  return {
    use(serial, change) {
      const key = keyOf(serial)
      if (key.keyCredit + change < 0) return null
      key.keyCredit += change
      key.keyCounter++
      return { ...key }
    },
    creditOf: (serial) => keyOf(serial).keyCredit,
  }
}
