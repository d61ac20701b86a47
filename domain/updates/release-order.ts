const partsOf = (release: string) => release.match(/\d+|[^\d.+_-]+/g) ?? []

/** Compares versions part by part, numbers as numbers: 4.9.0 is before 4.12.0. Negative if the first one is older. */
export function compareReleases(one: string, other: string): number {
  const ones = partsOf(one)
  const others = partsOf(other)
  for (let at = 0; at < Math.max(ones.length, others.length); at++) {
    const [left = '', right = ''] = [ones[at], others[at]]
    if (left === right) continue
    const x = Number(left)
    const y = Number(right)
    const order = left !== '' && right !== '' && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : left < right ? -1 : 1
    if (order !== 0) return order
  }
  return 0
}
