/** What the totals of a round need of each bag. Minor units; null: not known, or not shown yet. */
interface Bag {
  collectionId: string | null
  counted: number | null
  expected: number | null
}

/**
 * The money of a round. Two visits may be of one collection, which counts once. Expected is that of counted bags alone, so that over − short is
 * counted − expected of the bags with both.
 */
export function roundTotals(bags: readonly Bag[]) {
  const collections = new Map(bags.flatMap((bag) => (bag.collectionId ? [[bag.collectionId, bag]] : [])))
  const totals = { collected: collections.size, uncounted: 0, counted: 0, expected: 0, over: 0, short: 0 }
  for (const { counted, expected } of collections.values()) {
    if (counted === null) {
      totals.uncounted++
      continue
    }
    totals.counted += counted
    if (expected === null) continue
    totals.expected += expected
    totals.over += Math.max(0, counted - expected)
    totals.short += Math.max(0, expected - counted)
  }
  return totals
}
