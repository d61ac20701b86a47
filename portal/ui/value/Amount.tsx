import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

/**
 * Money: minor units of a currency, in the specification's format or, by choice, in the language's; red below zero.
 * Empty for null.
 */
export function Amount({
  minor,
  currency,
  isDimmed = false,
}: {
  minor: number | null | undefined
  currency: Currency
  isDimmed?: boolean
}) {
  const { money } = useFormat()
  if (minor === null || minor === undefined) return null
  const color = minor < 0 ? 'var(--crit)' : isDimmed ? 'var(--ink-2)' : undefined
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', color }}>{money(minor, currency)}</span>
  )
}
