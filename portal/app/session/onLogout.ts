const cleaners = new Map<string, () => void>()

/**
 * Registers what to empty when a person leaves, such as what the server answered and which merchant they looked at. The name
 * keeps a module that is loaded again from cleaning twice.
 */
export function onLogout(name: string, clean: () => void): void {
  cleaners.set(name, clean)
}

/** Empties everything that was registered. */
export function cleanUp(): void {
  for (const clean of cleaners.values()) clean()
}
