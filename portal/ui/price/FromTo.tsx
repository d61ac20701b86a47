import { Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'

interface Props {
  before: number | null
  after: number | null
  currency: Currency
}

/** A price before and after; a missing one is a dash. */
export function FromTo({ before, after, currency }: Props) {
  const { t } = useTranslation('price')
  return (
    <Flex component="span" gap="snug" display="inline-flex">
      {before === null ? '–' : <Amount minor={before} currency={currency} isDimmed />}
      <span role="img" aria-label={t('history.to')}>
        →
      </span>
      {after === null ? '–' : <Amount minor={after} currency={currency} />}
    </Flex>
  )
}
