import type { PriceRow, TablePrice } from '#contract/catalogue/price.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { instantOf } from '#portal/app/i18n/format.ts'

/** The key of a price table's name, such as `vocabulary:priceTable.cash1`. */
export const tableWord = (priceTable: number) => `vocabulary:priceTable.${nameOf(priceTables, priceTable)}`

export const priceIn = ({ prices }: Pick<PriceRow, 'prices'>, table: number): TablePrice | undefined =>
  prices.find(({ priceTable }) => priceTable === table)

type ObservedPrice = NonNullable<TablePrice['reported']>
/** The source of the machine's price. */
export type PriceSource = 'charged' | 'audited' | 'reported'
export interface MachinePrice extends ObservedPrice {
  by: PriceSource
}

const timeOf = (at: string | null | undefined) => instantOf(at)?.getTime() ?? Number.NEGATIVE_INFINITY

/**
 * The machine's own price. If it differs from the target, the price that proves it: charged, else audited, else
 * reported, as in the list of wrong prices. Sales and audits count if they are later than the target price and not
 * older than the report.
 */
export function machinePrice(price: TablePrice): MachinePrice | undefined {
  const { wanted: target, wantedAt, reported, audited, charged, sync } = price
  // A report at the target price proves nothing against a sale.
  if (sync === 'chargedOtherwise' && charged) return { ...charged, by: 'charged' }
  const reportedAt = timeOf(reported?.at)
  const from = Math.max(reportedAt, timeOf(wantedAt))
  const pricesBy = (by: PriceSource, observation: ObservedPrice | null): MachinePrice[] =>
    observation ? [{ ...observation, by }] : []
  const charges = pricesBy('charged', charged)
  const audits = pricesBy('audited', audited)
  const reports = pricesBy('reported', reported)
  const isNew = ({ at }: ObservedPrice) => timeOf(at) >= from
  const proofs = [...charges.filter(isNew), ...audits.filter(isNew), ...reports]
  return proofs.find((one) => target !== null && one.price !== target) ?? [...proofs, ...audits, ...charges][0]
}

/** Whether the machine's price differs from the target price. */
export function isWrong(price: TablePrice): boolean {
  const actual = machinePrice(price)
  return price.wanted !== null && actual !== undefined && actual.price !== price.wanted
}

/** The price of a selection for comparison and display: the target price, else the machine's own. */
export const effectivePrice = (price: TablePrice | undefined): number | undefined =>
  price && (price.wanted ?? machinePrice(price)?.price)
