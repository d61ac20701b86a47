import type { PricePreview } from '#contract/catalogue/price-change.ts'

/** A machine with its prices below it. */
export type MachineLine = { kind: 'machine'; key: string; machine: PricePreview; count: number }
export type PriceLine = { kind: 'price'; key: string; price: PricePreview }
/** The same change of a product at several machines. */
export type ProductLine = { kind: 'product'; key: string; price: PricePreview; machines: number; count: number }
export type Line = MachineLine | PriceLine | ProductLine

const first = <T>(some: readonly T[]) => some[0] as T

/** A heading per machine, then its prices. */
export function byMachine(prices: readonly PricePreview[]): Line[] {
  return [...Map.groupBy(prices, ({ posId }) => posId)].flatMap(([posId, some]): Line[] => [
    { kind: 'machine', key: posId, machine: first(some), count: some.length },
    ...some.map(
      (price): PriceLine => ({
        kind: 'price',
        key: `${posId} ${price.priceTable} ${price.selection}`,
        price,
      }),
    ),
  ])
}

/**
 * A line per product, old price and new price, the most frequent first. A selection without a product has its own
 * line.
 */
export function byProduct(prices: readonly PricePreview[]): Line[] {
  const nameOf = ({ product, selection }: PricePreview) => product ?? selection
  const same = Map.groupBy(prices, (price) => JSON.stringify([nameOf(price), price.before, price.after, price.warning]))
  return [...same]
    .map(
      ([key, some]): ProductLine => ({
        kind: 'product',
        key,
        price: first(some),
        machines: new Set(some.map(({ posId }) => posId)).size,
        count: some.length,
      }),
    )
    .sort((one, other) => other.count - one.count || nameOf(one.price).localeCompare(nameOf(other.price)))
}

/** The formats of changes. */
export const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

/** The change of a price as a fraction; undefined without a previous price. */
export const changeOf = ({ before, after }: Pick<PricePreview, 'before' | 'after'>): number | undefined =>
  before ? (after - before) / before : undefined

/** The mean change of prices, as a fraction. */
export function averageChange(prices: readonly PricePreview[]): number | undefined {
  const changes = prices.map(changeOf).filter((one) => one !== undefined)
  return changes.length > 0 ? changes.reduce((sum, one) => sum + one, 0) / changes.length : undefined
}
