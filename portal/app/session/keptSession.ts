import type { Me } from '#contract/people/user.ts'
import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'

/*
 * What opens the portal where the server can't be reached: who the user is, and the configuration. It is kept when a user opens a round, and
 * holds no token: nothing of it opens the server.
 */

export interface KeptSession {
  /** When the server last knew the user here, in milliseconds since 1970. */
  at: number
  /** Who they are to the identity provider. */
  subject: string
  me: Me
  configuration: SpaConfiguration
}

const key = 'gettone.offline'
/** A working day; what is older opens nothing. */
const longestMs = 16 * 3_600_000
/** In the place of a session: what was kept beside it is still to be erased. */
const toErase = 'erase'

const tried = <T>(work: (storage: Storage) => T): T | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}

const stored = () => tried((storage) => storage.getItem(key)) ?? null

/** The session of a user who opened a round here; undefined without a sign of them within a working day, or when the clock was set back. */
export function keptSession(now = Date.now()): KeptSession | undefined {
  const text = stored()
  if (text === null || text === toErase) return undefined
  const kept = tried(() => JSON.parse(text) as KeptSession)
  return kept && kept.at <= now && now - kept.at < longestMs ? kept : undefined
}

let signedIn: () => Omit<KeptSession, 'at'> | undefined = () => undefined
/** Source of the signed-in user. The session sets it once, at start. */
export const connectSignedIn = (source: typeof signedIn) => {
  signedIn = source
}

/** Keeps the signed-in user for a start without the server. Without tokens nothing changes: the time runs on. */
export function keepSignedIn(now = Date.now()): void {
  const session = signedIn()
  if (session) tried((storage) => storage.setItem(key, JSON.stringify({ ...session, at: now } satisfies KeptSession)))
}

/** Whether something is kept that must not be. */
const isStale = () => stored() !== null && keptSession() === undefined

/** Forgets the session at once, and then what is kept beside it; the next start of the portal does what this page can't finish. */
export function forgetSession(erase: () => Promise<void>): void {
  if (stored() === null) return
  tried((storage) => storage.setItem(key, toErase))
  void erase()
    .then(() => stored() === toErase && tried((storage) => storage.removeItem(key)))
    .catch(() => undefined)
}

/** At a start: erases what is too old, or what an earlier page could not. */
export const forgetStaleSession = (erase: () => Promise<void>): void => {
  if (isStale()) forgetSession(erase)
}
