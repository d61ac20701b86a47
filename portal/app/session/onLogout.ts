/** How the last session of this tab ended, so that the sign-in page can say it. */
export type Ending = 'signedOut' | 'autoLogout'

/** Why the user's data is cleared: the session's end, another user's sign-in, or lost access. */
export type Clearing = Ending | 'anotherUser' | 'barred'

const cleaners = new Map<string, (why: Clearing) => void>()

/**
 * Registers a cleanup for sign-out, such as of the server's answers and the selected merchant. The name keeps a reloaded
 * module from registering twice.
 */
export function onLogout(name: string, clean: (why: Clearing) => void): void {
  cleaners.set(name, clean)
}

/** Runs all registered cleanups. */
export function cleanUp(why: Clearing): void {
  for (const clean of cleaners.values()) clean(why)
}
