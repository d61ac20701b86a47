import type { AuditContent } from '#contract/audits/audit-content.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { formatMoney } from '#domain/money/money.ts'

type Money = Pick<AuditContent['money'], 'currency' | 'digits'>

/**
 * An amount of an audit for display; empty if the file does not report it. Amounts with a known currency's decimals
 * are shown as money. Other amounts keep the machine's own decimals.
 */
export function writeAuditAmount(
  amount: number | null,
  { currency, digits }: Money,
  number: (value: number, options: Intl.NumberFormatOptions) => string,
  write = formatMoney,
) {
  if (amount === null) return undefined
  if (currency && currencies[currency].storageDigits === digits) return write(amount, currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const written = number(amount / 10 ** digits, fraction)
  return currency ? `${currencies[currency].symbol}\u00a0${written}` : written
}
