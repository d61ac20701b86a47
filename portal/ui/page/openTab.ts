const isWithin = (path: string, to: string) => path === to || path.startsWith(`${to}/`)

/**
 * The tab of a screen's address: the longest address it begins with; the first tab matches only the page's own
 * address.
 */
export function openTab<T extends { to: string }>(tabs: readonly T[], address: string): T | undefined {
  const path = address.replace(/\/$/, '')
  const [first, ...others] = tabs
  const nearest = others.filter(({ to }) => isWithin(path, to)).sort((a, b) => b.to.length - a.to.length)[0]
  return nearest ?? (first?.to === path ? first : undefined)
}
