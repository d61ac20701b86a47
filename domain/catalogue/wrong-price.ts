import type { SaleItem } from '#contract/device-protocol.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { isVend } from '#domain/sales/sale.ts'
import type { SeenPrice } from './price-sync.ts'

const freeSale = 2
/** Types of sales whose value is the price of a price table. */
export const paidTypes = saleTypes.filter((type) => type !== freeSale)

/** The price that a sale was charged, with its selection and price table; undefined if the sale lacks one of them. */
export function chargedPrice(sale: SaleItem): { selection: string; priceTable: number; price: number } | undefined {
  const { type, priceLine, priceTable, freeSale: isFree, errorSale, value } = sale
  if (priceLine === undefined || priceTable === undefined || priceTable < 1 || priceTable > 8) return undefined
  if (isFree || !isVend({ type, errorSale }) || !paidTypes.includes(type)) return undefined
  return { selection: String(priceLine), priceTable, price: value }
}

/** A wrong price: the wish and the last sights of the price. */
export interface WrongPriceFacts {
  wanted: number
  wantedAt: Date
  reported: SeenPrice | null
  audited: SeenPrice | null
  charged: SeenPrice | null
}

const earliest = (instants: readonly Date[]) => new Date(Math.min(...instants.map(Number)))
const latest = (instants: readonly Date[]) => new Date(Math.max(...instants.map(Number)))

const sightsOf = ({ wanted, reported, audited, charged }: WrongPriceFacts) => {
  const sights = [reported, audited, charged].filter((sight) => sight !== null)
  return {
    right: sights.filter(({ price }) => price === wanted),
    wrong: sights.filter(({ price }) => price !== wanted),
  }
}

/** The wrong sights that are not older than the last right one; those before the wish count from the wish on. */
function newestWrong(facts: WrongPriceFacts): Date[] {
  const { right, wrong } = sightsOf(facts)
  const good = right.length > 0 ? latest(right.map(({ at }) => at)) : facts.wantedAt
  return wrong.map(({ at }) => (at < facts.wantedAt ? facts.wantedAt : at)).filter((at) => at >= good)
}

/** From when on sales matter for the stretch of a wrong price. `arrived`: the earliest sale that has just arrived. */
export function salesFrom(facts: WrongPriceFacts, arrived: Date | undefined): Date {
  const from = earliest([...newestWrong(facts), ...(arrived ? [arrived] : [])])
  return from < facts.wantedAt ? facts.wantedAt : from
}

/**
 * Since when a price that is wrong now has been wrong, and what it cost: wanted minus charged, over the sales at another price since
 * then. `sales` are the stored ones from `salesFrom` on.
 */
export function wrongStretch(
  facts: WrongPriceFacts,
  sales: readonly SeenPrice[],
): { since: Date; sales: number; lost: number } {
  const { wanted, wantedAt } = facts
  const { right } = sightsOf(facts)
  const good = [...right, ...sales.filter(({ price }) => price === wanted)].map(({ at }) => at)
  const after = good.length > 0 ? latest(good) : undefined
  const badSales = sales.filter(({ price }) => price !== wanted)
  const begun = badSales.filter(({ at }) => at >= wantedAt && (after === undefined || at > after)).map(({ at }) => at)
  const since = earliest([...newestWrong(facts), ...begun])
  const counted = badSales.filter(({ at }) => at >= since)
  return { since, sales: counted.length, lost: counted.reduce((sum, { price }) => sum + wanted - price, 0) }
}
