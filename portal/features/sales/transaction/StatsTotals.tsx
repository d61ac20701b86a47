import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sums } from '#contract/sales/transaction.ts'
import { averageOf } from '#domain/sales/sale.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Change, useComparedWith } from '#portal/ui/value/Change.tsx'
import type { ComparedStats } from './useComparedStats.ts'
import { type StatsQuery, searchOf } from './useStatsState.ts'

/** The sums of the whole period, a row for each currency; every number leads to the list behind it. */
export function StatsTotals({
  totals,
  query,
  compared,
}: {
  totals: readonly Sums[]
  query: StatsQuery
  compared?: ComparedStats | undefined
}) {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const listed = (moreFilters?: Record<string, string>) => ({
    to: '/transactions/data',
    search: { ...searchOf(query), ...moreFilters },
  })
  const comparedWith = useComparedWith()
  const against = compared && comparedWith(compared.comparison, compared.periods)
  return totals.map((sums) => {
    const { currency, count, value, errorValue, valueCharge, freeCount, errorCount } = sums
    const share = (part: number) =>
      part === 0 ? t('stats.none') : t('stats.ofAll', { share: format.percent(part / count, 1) })
    /** The note, with the change of a figure below. */
    const noted = (note: ReactNode, value: number, figure: 'value' | 'count' | 'freeCount' | 'errorCount') =>
      compared ? (
        <>
          {note !== undefined && (
            <>
              {note}
              <br />
            </>
          )}
          <Change
            value={value}
            before={compared.before(currency, figure)}
            isLessBetter={figure === 'freeCount' || figure === 'errorCount'}
          />{' '}
          {against}
        </>
      ) : (
        note
      )
    return (
      <StatCards key={currency}>
        <StatCard
          label={totals.length > 1 ? `${t('stats.sales')}, ${currency}` : t('stats.sales')}
          value={format.money(value, currency)}
          note={noted(
            valueCharge === 0 ? undefined : t('stats.charged', { amount: format.money(valueCharge, currency) }),
            value,
            'value',
          )}
          place={listed()}
        />
        <StatCard
          label={t('stats.count')}
          value={format.number(count)}
          note={noted(t('stats.each', { amount: format.money(averageOf(sums), currency) }), count, 'count')}
          place={listed()}
        />
        <StatCard
          label={t('stats.free')}
          value={format.number(freeCount)}
          note={noted(share(freeCount), freeCount, 'freeCount')}
          place={listed({ freeSale: 'true' })}
        />
        <StatCard
          label={t('stats.errors')}
          value={format.number(errorCount)}
          note={noted(
            errorValue === 0
              ? share(errorCount)
              : t('stats.failedCharged', { amount: format.money(errorValue, currency) }),
            errorCount,
            'errorCount',
          )}
          place={listed({ errorSale: 'true' })}
        />
      </StatCards>
    )
  })
}
