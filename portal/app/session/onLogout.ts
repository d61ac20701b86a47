const cleaners = new Map<string, () => void>()

/**
 * Registers a cleanup for sign-out, such as of the server's answers and the selected merchant. The name keeps a reloaded
 * module from registering twice.
 */
export function onLogout(name: string, clean: () => void): void {
  cleaners.set(name, clean)
}

/** Runs all registered cleanups. */
export function cleanUp(): void {
  for (const clean of cleaners.values()) clean()
}
