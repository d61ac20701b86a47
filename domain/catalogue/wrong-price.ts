import type { SaleItem } from '#contract/device-protocol.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { isVend } from '#domain/sales/sale.ts'
import type { DatedPrice } from './price-sync.ts'

const freeSale = 2
/** Types of sales whose value is the price of a price table. */
const paidTypes = saleTypes.filter((type) => type !== freeSale)

/** The price that a sale was charged, with its selection and price table; undefined if the sale lacks one of them. */
export function chargedPrice(sale: SaleItem): { selection: string; priceTable: number; price: number } | undefined {
  const { type, priceLine, priceTable, freeSale: isFree, errorSale, value } = sale
  if (priceLine === undefined || priceTable === undefined || priceTable < 1 || priceTable > 8) return undefined
  if (isFree || !isVend({ type, errorSale }) || !paidTypes.includes(type)) return undefined
  return { selection: String(priceLine), priceTable, price: value }
}

/** A wrong price: the target and the last sights of the price. */
export interface WrongPriceFacts {
  wanted: number
  wantedAt: Date
  reported: DatedPrice | null
  audited: DatedPrice | null
  charged: DatedPrice | null
}

const timesOf = (sights: readonly DatedPrice[]) => sights.map(({ at }) => at.getTime())

/**
 * Since when a price is wrong that is wrong now and has no wrong sale: its earliest wrong sight that is not older than the last right
 * one. A sight before the target counts from the target on.
 */
export function wrongSince({ wanted, wantedAt, reported, audited, charged }: WrongPriceFacts): Date {
  const sights = [reported, audited, charged].filter((reading) => reading !== null)
  const right = Math.max(wantedAt.getTime(), ...timesOf(sights.filter(({ price }) => price === wanted)))
  const wrong = timesOf(sights.filter(({ price }) => price !== wanted)).map((at) => Math.max(at, wantedAt.getTime()))
  const newest = wrong.filter((at) => at >= right)
  return new Date(newest.length > 0 ? Math.min(...newest) : right)
}
