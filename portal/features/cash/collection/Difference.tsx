import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isWithin } from '#domain/cash/collection-count.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

interface Props {
  difference: number | null
  tolerance: number
  currency: Currency
}

/** Counted minus expected, with its sign; red beyond the tolerance. */
export function Difference({ difference, tolerance, currency }: Props) {
  const { t } = useTranslation('cash-collection')
  const { money } = useFormat()
  if (difference === null) return null
  const isFine = isWithin(difference, tolerance)
  const written = `${difference > 0 ? '+' : ''}${money(difference, currency)}`
  return (
    <Badge tone={isFine ? 'ok' : 'crit'} mark={isFine ? 'check' : 'triangle'} title={t(isFine ? 'within' : 'beyond')}>
      <span style={{ fontVariantNumeric: 'tabular-nums' }}>{written}</span>
    </Badge>
  )
}
