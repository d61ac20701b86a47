import { saleTypes } from '#contract/vocabulary/transaction.ts'

/** A transaction, as far as its money and goods depend on it. `value` is what was paid, in minor units. */
interface Sold {
  type: number
  errorSale: boolean
  value: number
}

/** A product left the machine, paid or free. */
export const isVend = ({ type, errorSale }: Omit<Sold, 'value'>): boolean => saleTypes.includes(type) && !errorSale

/** A vend that gave no product. */
export const isFailedVend = ({ type, errorSale }: Omit<Sold, 'value'>): boolean => saleTypes.includes(type) && errorSale

/**
 * The money of a failed transaction: it was taken, so it is in the box or in the ledger, but it paid for nothing. A machine that took no
 * money sends 0.
 */
export const chargedForFailure = ({ errorSale, value }: Omit<Sold, 'type'>): number => (errorSale ? value : 0)

/** Sums of transactions: `value` is without failed ones, `count` with them. */
interface SoldSums {
  count: number
  errorCount: number
  value: number
}

/** The number of vends that did not fail, from sums of vends. */
export const vendsOf = ({ count, errorCount }: Omit<SoldSums, 'value'>): number => count - errorCount

/** The mean value of a vend that did not fail, in whole minor units; 0 without any. */
export const averageOf = (sums: SoldSums): number => {
  const vends = vendsOf(sums)
  return vends > 0 ? Math.round(sums.value / vends) : 0
}
