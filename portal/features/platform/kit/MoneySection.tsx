import { useTranslation } from 'react-i18next'
import { Currency } from '#contract/vocabulary/world/currencies.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Table } from './Part.tsx'

/** Minor units as stored; null shows nothing. */
const amounts = [0, 5, 999, 123_456, -123_456, 123_456_789_012, null] as const

/** Every currency, with zero, small, large and negative amounts. */
export function MoneySection() {
  const { t } = useTranslation('kit')
  return (
    <Table
      caption={t('section.money')}
      heads={[
        { name: t('money.currency') },
        ...amounts.map((minor) => ({ name: String(minor), align: 'end' as const })),
      ]}
      rows={Currency.options.map((currency) => ({
        key: currency,
        cells: [currency, ...amounts.map((minor) => <Amount key={minor} minor={minor} currency={currency} />)],
      }))}
    />
  )
}
