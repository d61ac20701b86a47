/** What is known of a product before it is bought; pieces, and days. */
export interface Demand {
  /** Pieces that machines lack now, and that they are expected to sell until a purchase is used up. */
  missing: number
  expected: number
  /** Pieces in warehouses and vans that may be sold. */
  onHand: number
  packSize: number | null
  minimumPacks: number | null
}

/**
 * What to buy of a product: whole packs, and no fewer than its smallest purchase. What is on its way is in no book yet, so a purchase counts
 * from its delivery on.
 */
export function purchaseOf({ missing, expected, onHand, packSize, minimumPacks }: Demand) {
  const lacking = Math.max(0, missing + expected - onHand)
  const size = packSize ?? 1
  const packs = lacking === 0 ? 0 : Math.max(Math.ceil(lacking / size), minimumPacks ?? 1)
  return { packs, toBuy: packs * size }
}
