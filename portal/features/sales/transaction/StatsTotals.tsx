import { useTranslation } from 'react-i18next'
import type { Sums } from '#contract/sales/transaction.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { type StatsQuery, searchOf } from './useStatsState.ts'

/** The sums of the whole period, a row for each currency; every number leads to the list behind it. */
export function StatsTotals({ totals, query }: { totals: readonly Sums[]; query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const listed = (also?: Record<string, string>) => ({
    to: '/transactions/data',
    search: { ...searchOf(query), ...also },
  })
  return totals.map(({ currency, count, value, valueCharge, freeCount, errorCount }) => {
    const share = (part: number) =>
      part === 0 ? t('stats.none') : t('stats.ofAll', { share: format.percent(part / count, 1) })
    return (
      <StatCards key={currency}>
        <StatCard
          label={totals.length > 1 ? `${t('stats.sales')}, ${currency}` : t('stats.sales')}
          value={format.money(value, currency)}
          note={valueCharge === 0 ? undefined : t('stats.charged', { amount: format.money(valueCharge, currency) })}
          place={listed()}
        />
        <StatCard
          label={t('stats.count')}
          value={format.number(count)}
          note={t('stats.each', { amount: format.money(count > 0 ? Math.round(value / count) : 0, currency) })}
          place={listed()}
        />
        <StatCard
          label={t('stats.free')}
          value={format.number(freeCount)}
          note={share(freeCount)}
          place={listed({ freeSale: 'true' })}
        />
        <StatCard
          label={t('stats.errors')}
          value={format.number(errorCount)}
          note={share(errorCount)}
          place={listed({ errorSale: 'true' })}
        />
      </StatCards>
    )
  })
}
