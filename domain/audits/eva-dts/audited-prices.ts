import type { AuditContent, AuditWarningCode } from '#contract/audits/audit-content.ts'
import { SelectionName } from '#contract/device-protocol.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './money.ts'
import { priceTableOf } from './price-lists.ts'
import { scaleOf } from './scale.ts'

/** The price of a selection in a price table, in minor units of the merchant's currency. */
export interface AuditedPrice {
  selection: string
  priceTable: number
  price: number
}

/** Remarks after which amounts of the file are not compared with others. */
const doubts: readonly AuditWarningCode[] = [
  'wholeUnits',
  'countersOutOfScale',
  'amountsImplausible',
  'pricesOutOfScale',
  'moneyNotRescaled',
]

const cash1 = 1
/**
 * The prices of an audit by selection and price table: PA7 by its device and price list, PA1 for the first cash table without one. None if the
 * file's amounts are doubtful or in another currency.
 */
export function auditedPrices(content: AuditContent, merchant: Currency): AuditedPrice[] {
  const { money, selections, warnings } = content
  if (currencyOfReading(money, merchant) !== merchant) return []
  if (warnings.some(({ code }) => doubts.includes(code))) return []
  const scale = scaleOf(money.digits, currencies[merchant].storageDigits)
  const tableOf = priceTableOf(selections)
  return selections.flatMap(({ selection, price: base, payments }) => {
    if (!SelectionName.safeParse(selection).success) return []
    const prices = new Map<number, number | null>([[cash1, base]])
    for (const { device, priceList, price } of payments) {
      const table = tableOf(device, priceList)
      if (table !== undefined && price !== null) prices.set(table, price)
    }
    return [...prices].flatMap(([priceTable, price]) => {
      const minor = price === null ? Number.NaN : scale.convert(price)
      return Number.isSafeInteger(minor) && minor >= 0 ? [{ selection, priceTable, price: minor }] : []
    })
  })
}
