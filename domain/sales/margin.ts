/** Sums of vends that did not fail, of products whose cost and VAT are known, in minor units. */
export interface MarginSums {
  /** Turnover, VAT included. */
  turnover: number
  /** The VAT contained in it. */
  vat: number
  /** What clients get of it. */
  commission: number
  /** Cost of goods. */
  cost: number
}

/** The margin: turnover less VAT, commission and cost of goods. */
export const marginOf = ({ turnover, vat, commission, cost }: MarginSums): number => turnover - vat - commission - cost

/** The margin as a share of net turnover; null without any. */
export const marginRateOf = (sums: MarginSums): number | null => {
  const net = sums.turnover - sums.vat
  return net > 0 ? marginOf(sums) / net : null
}
