import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Quantity } from '#contract/audits/reconciliation.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

interface Props {
  of: Quantity
  currency: Currency
  /** A difference has its sign, and is red unless it is zero. */
  isDifference?: boolean
}

/** Money with its number of vends below; an unknown value is shown as unknown, never as zero. */
export function ValueWithVends({ of: { count, value }, currency, isDifference = false }: Props) {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (count === null && value === null)
    return (
      <Text span fz="fine" lh="fine" c="dimmed" title={t('notKnown')}>
        –<span className="unseen">{t('notKnown')}</span>
      </Text>
    )
  const sign = (number: number) => (isDifference && number > 0 ? '+' : '')
  return (
    <Stack component="span" gap={0} align="flex-end" display="inline-flex" className="one-line">
      {value !== null && (
        <span style={isDifference && value !== 0 ? { color: 'var(--crit)' } : undefined}>
          {sign(value)}
          {format.money(value, currency)}
        </span>
      )}
      {count !== null && (
        <Text span fz="fine" lh="fine" c={isDifference && count !== 0 ? 'crit' : 'dimmed'}>
          {sign(count)}
          {t('vends', { count, number: format.number(count) })}
        </Text>
      )}
    </Stack>
  )
}
