const key = 'gettone.kept-visits'

/*
 * The number of visits that are kept on this phone. It is beside the visits themselves, so that the shell knows without loading their
 * code whether some wait to be sent.
 */

export function keptVisits(): number {
  try {
    return Number(localStorage.getItem(key)) || 0
  } catch {
    return 0
  }
}

const listeners = new Set<() => void>()
export function onKeptVisits(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function noteKeptVisits(count: number): void {
  try {
    if (count > 0) localStorage.setItem(key, String(count))
    else localStorage.removeItem(key)
  } catch {
    // Without storage the sender still runs while its screen is open.
  }
  for (const listener of listeners) listener()
}
