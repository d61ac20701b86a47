import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { StatsFilters, transactions } from '#contract/sales/transaction.ts'
import { stepFor } from '#domain/sales/stats-step.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatsTotals } from './StatsTotals.tsx'
import { type StatsQuery, searchOf } from './useStatsState.ts'

/** Sums support part of the list's filters; the others select single sales. */
const isSummable = (query: StatsQuery) =>
  Object.entries(query).every(([name, value]) => value === undefined || name in StatsFilters.shape)

/** Sums of a client's sales under the filters of the list below; hidden while a filter selects single sales. */
export function ClientTotals({ query }: { query: StatsQuery }) {
  const { t } = useTranslation('transaction')
  const merchant = useMerchant()
  const isSummed = isSummable(query)
  const { data, isPlaceholderData } = useQuery({
    ...queryOf(transactions.statsOfPeriod, {
      params: { merchantId: merchant.id },
      query: { ...query, step: stepFor(query) },
    }),
    enabled: isSummed,
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="part" data-stale={isPlaceholderData}>
      {isSummed && data && <StatsTotals totals={data.totals} query={query} />}
      <Text mb="part" c="dimmed" fz="sm">
        {t('client.note')}{' '}
        {isSummed && (
          <PlaceLink place={{ to: '/transactions/stats', search: searchOf(query) }}>{t('client.stats')}</PlaceLink>
        )}
      </Text>
    </Stack>
  )
}
