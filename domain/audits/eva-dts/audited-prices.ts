import type { AuditContent, AuditWarningCode } from '#contract/audits/audit-content.ts'
import { SelectionName } from '#contract/device-protocol.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './money.ts'
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
/** List 0 is the base list of each device. */
const baseTables: Record<string, number> = { CA: cash1, DA: 6, DB: 7 }

function tableOf(device: string | null, priceList: string | null): number | undefined {
  const list = priceList === null || !/^\d{1,3}$/.test(priceList) ? Number.NaN : Number(priceList)
  if (list >= 1 && list <= 8) return list
  return list === 0 && device !== null ? baseTables[device] : undefined
}

/**
 * The prices of an audit by selection and price table: PA7 by its price list, PA1 for the first cash table without one. None if the
 * file's amounts are doubtful or in another currency.
 */
export function auditedPrices(content: AuditContent, merchant: Currency): AuditedPrice[] {
  const { money, selections, warnings } = content
  if (currencyOfReading(money, merchant) !== merchant) return []
  if (warnings.some(({ code }) => doubts.includes(code))) return []
  const scale = scaleOf(money.digits, currencies[merchant].storageDigits)
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
