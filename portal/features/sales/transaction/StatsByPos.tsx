import { Flex, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PosSums, transactions } from '#contract/sales/transaction.ts'
import { comparedPeriods, periodsWithData } from '#domain/insight/comparison.ts'
import { averageOf } from '#domain/sales/sale.ts'
import { stepFor } from '#domain/sales/stats-step.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { ComparisonChoice, useComparisonSearch } from '#portal/ui/time/ComparisonChoice.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Change, useComparedWith } from '#portal/ui/value/Change.tsx'
import classes from './Transaction.module.css'
import { useFirstDay } from './useFirstDay.ts'
import { presetOf, searchOf, useStatsState } from './useStatsState.ts'

const order = { ord: 'value', ordType: 'DESC' } as const
const keyOf = ({ posId }: PosSums) => posId
const currencyOf = ({ currency }: PosSums) => currency

/** Sums by point of sale, as a table; a row leads to its transactions. */
export function StatsByPos() {
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const merchant = useMerchant()
  const { filters, state, query } = useStatsState()
  const preset = presetOf(state.filters.period?.[0])
  const { comparison, set: compare } = useComparisonSearch()
  const comparedWith = useComparedWith()
  const firstDay = useFirstDay(query)
  const { data } = useQuery({
    ...queryOf(transactions.statsOfPeriod, {
      params: { merchantId: merchant.id },
      query: { ...query, step: stepFor(query) },
    }),
    placeholderData: keepPreviousData,
  })
  const totals = data?.totals
  const fixed = useMemo(() => (comparison ? { compare: comparison, preset } : {}), [comparison, preset])
  const columns = useMemo((): Column<PosSums>[] => {
    const changeColumns: Column<PosSums>[] = [
      {
        id: 'countChange',
        name: t('stats.column.countChange'),
        align: 'end',
        isHidden: true,
        cell: ({ count, before }) => before && <Change value={count} before={before.count} />,
      },
      {
        id: 'change',
        name: t('stats.column.change'),
        align: 'end',
        card: 'line',
        cell: ({ value, before }) => before && <Change value={value} before={before.value} />,
      },
    ]
    const shareOf = ({ value, currency }: PosSums) => {
      const total = totals?.find((one) => one.currency === currency)?.value ?? 0
      return total > 0 ? value / total : 0
    }
    const counted = (count: number) =>
      count > 0 ? (
        format.number(count)
      ) : (
        <Text span c="dimmed" fz="fine" fw={400} lh="fine" className={classes.fine}>
          0
        </Text>
      )
    return [
      {
        id: 'posName',
        name: t('column.machine'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ posName }) => posName,
        cell: ({ posName }) => posName,
      },
      { id: 'merchant', name: t('column.merchant'), isForAll: true, card: 'line', cell: (one) => one.merchantName },
      { id: 'serial', name: t('fact.serial'), isHidden: true, card: 'none', cell: ({ posSerial }) => posSerial },
      {
        id: 'count',
        name: t('stats.count'),
        sort: true,
        align: 'end',
        number: ({ count }) => count,
        cell: ({ count }) => format.number(count),
      },
      {
        id: 'average',
        name: t('stats.average'),
        align: 'end',
        number: averageOf,
        unit: 'money',
        currencyOf,
        cell: (one) => <Amount minor={averageOf(one)} currency={one.currency} />,
      },
      {
        id: 'freeCount',
        name: t('stats.free'),
        sort: true,
        align: 'end',
        number: ({ freeCount }) => freeCount,
        cell: (one) => counted(one.freeCount),
      },
      {
        id: 'errorCount',
        name: t('stats.errors'),
        sort: true,
        align: 'end',
        number: ({ errorCount }) => errorCount,
        cell: (one) => counted(one.errorCount),
      },
      {
        id: 'share',
        name: t('stats.column.share'),
        align: 'end',
        card: 'none',
        number: (one) => 100 * shareOf(one),
        unit: 'percent',
        cell: (one) => format.percent(shareOf(one), 1),
      },
      ...(comparison ? changeColumns : []),
      {
        id: 'value',
        name: t('stats.sales'),
        sort: true,
        align: 'end',
        isFixed: true,
        card: 'aside',
        number: ({ value }) => value,
        unit: 'money',
        currencyOf,
        cell: ({ value, currency }) => <Amount minor={value} currency={currency} />,
      },
    ]
  }, [t, format, totals, comparison])
  return (
    <ListScreen
      id="statsByPos"
      title={t('stats.byPos')}
      isEmbedded
      exports="statsByPos"
      row={transactions.statsByPos}
      columns={columns}
      fixed={fixed}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={({ posId }) => ({
        to: '/transactions/data',
        search: { ...searchOf(query), posIds: posId },
      })}
      empty={{ title: t('stats.empty.title'), text: t('stats.empty.text') }}
    >
      <Flex rowGap="near" columnGap="sm" wrap="wrap" align="center" mb="sm">
        <ComparisonChoice value={comparison} choose={(next) => compare(next)} />
        {comparison && firstDay !== undefined && (
          <Text span c="dimmed" fz="fine" fw={400} lh="fine" className={classes.fine}>
            {comparedWith(comparison, periodsWithData(comparedPeriods(comparison, query, preset), firstDay))}
          </Text>
        )}
      </Flex>
    </ListScreen>
  )
}
