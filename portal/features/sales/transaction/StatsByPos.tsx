import { Flex } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type PosSums, posSumsColumns, posSumsOrds, transactions } from '#contract/sales/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { averageOf } from '#domain/sales/sale.ts'
import { stepFor } from '#domain/sales/stats-step.ts'
import { comparedPeriods, periodsWithData } from '#domain/time/comparison.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { ComparisonChoice, useComparisonSearch } from '#portal/ui/time/ComparisonChoice.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Change, useComparedWith } from '#portal/ui/value/Change.tsx'
import classes from './Transaction.module.css'
import { useFirstDay } from './useFirstDay.ts'
import { presetOf, searchOf, useStatsState } from './useStatsState.ts'

const order = { ord: 'value', ordType: 'DESC' } as const
/** The machines that changed most are first. */
const comparedOrder = { ord: 'change', ordType: 'DESC' } as const
const keyOf = ({ posId }: PosSums) => posId

type Totals = readonly { currency: Currency; value: number }[]

/** The columns of sums. `totals` are those of all points of sale. */
const columnsOf = (totals: Totals | undefined, isCompared: boolean) =>
  recordColumns<PosSums>(posSumsColumns, posSumsOrds, ({ format }: Say) => {
    const shareOf = ({ value, currency }: PosSums) => {
      const total = totals?.find((one) => one.currency === currency)?.value ?? 0
      return total > 0 ? value / total : 0
    }
    const counted = (count: number) => (count > 0 ? format.number(count) : <span className={classes.fine}>0</span>)
    return {
      aside: 'value',
      lines: ['change'],
      hidden: ['serial'],
      offCards: ['share'],
      without: isCompared ? [] : ['countChange', 'change'],
      looks: {
        average: { number: averageOf, cell: (one) => <Amount minor={averageOf(one)} currency={one.currency} /> },
        freeCount: { cell: ({ freeCount }) => counted(freeCount) },
        errorCount: { cell: ({ errorCount }) => counted(errorCount) },
        share: { number: (one) => 100 * shareOf(one), cell: (one) => format.percent(shareOf(one), 1) },
        countChange: {
          isHidden: true,
          number: undefined,
          cell: ({ count, before }) => before && <Change value={count} before={before.count} />,
        },
        change: {
          number: undefined,
          unit: undefined,
          currencyOf: undefined,
          cell: ({ value, before }) => before && <Change value={value} before={before.value} />,
        },
        value: { isFixed: true },
      },
    }
  })

/** Sums by point of sale, as a table; a row leads to its transactions. */
export function StatsByPos() {
  const { t } = useTranslation('transaction')
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
  const sums = useMemo(
    () =>
      totals?.map((total) => ({
        currency: total.currency,
        values: {
          count: total.count,
          value: total.value,
          freeCount: total.freeCount,
          errorCount: total.errorCount,
          average: averageOf(total),
          ...(total.value > 0 && { share: 100 }),
        },
      })),
    [totals],
  )
  const columns = useMemo(() => columnsOf(totals, comparison !== undefined), [totals, comparison])
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
      order={comparison ? comparedOrder : order}
      totals={sums}
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
          <span className={classes.fine}>
            {comparedWith(comparison, periodsWithData(comparedPeriods(comparison, query, preset), firstDay))}
          </span>
        )}
      </Flex>
    </ListScreen>
  )
}
