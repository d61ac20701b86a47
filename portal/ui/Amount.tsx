import type { Currency } from '#contract/vocabulary/currencies.ts'
import { formatMoney } from '#domain/money.ts'

/** Money: minor units of a currency, written by the specification's table; red below zero. Empty for null. */
export function Amount({
  minor,
  currency,
  isDimmed = false,
}: {
  minor: number | null | undefined
  currency: Currency
  isDimmed?: boolean
}) {
  if (minor === null || minor === undefined) return null
  const color = minor < 0 ? 'var(--crit)' : isDimmed ? 'var(--ink-2)' : undefined
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', color }}>
      {formatMoney(minor, currency)}
    </span>
  )
}
