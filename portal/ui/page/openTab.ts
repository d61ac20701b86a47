const isWithin = (path: string, to: string) => path === to || path.startsWith(`${to}/`)

/** The tab a screen's address belongs to: the longest address it begins with; the first tab is the page's own address alone. */
export function openTab<T extends { to: string }>(tabs: readonly T[], address: string): T | undefined {
  const path = address.replace(/\/$/, '')
  const [first, ...others] = tabs
  const found = others.filter(({ to }) => isWithin(path, to)).sort((a, b) => b.to.length - a.to.length)[0]
  return found ?? (first?.to === path ? first : undefined)
}
