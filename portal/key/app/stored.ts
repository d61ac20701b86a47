/** A browser may refuse its storage; then a value lasts as long as the page. */
const memory = new Map<string, string>()

export function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? memory.get(key)
  } catch {
    return memory.get(key)
  }
}

/** Stores a value, or removes it. */
export function write(key: string, value: string | undefined): void {
  if (value === undefined) memory.delete(key)
  else memory.set(key, value)
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // It lasts as long as the page.
  }
}
