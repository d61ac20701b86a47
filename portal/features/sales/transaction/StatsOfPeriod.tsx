import { Box, Flex, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type StatsOfPeriod as Stats,
  type StatsStep,
  type Sums,
  statsSteps,
  transactions,
} from '#contract/sales/transaction.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { toMajor } from '#domain/money/money.ts'
import { stepFor } from '#domain/sales/stats-step.ts'
import { chartPeriod } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf, type Search } from '#portal/app/search.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import type { ChartKind } from '#portal/ui/chart/chartProps.ts'
import { FilterBar } from '#portal/ui/list/filters/FilterBar.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { ComparisonChoice, useComparisonSearch } from '#portal/ui/time/ComparisonChoice.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { StatsTotals } from './StatsTotals.tsx'
import { chartStepsOf, currentStep, stepNames, stepsFor, valuesOf } from './statsSteps.ts'
import { UsedCodes } from './UsedCodes.tsx'
import { type ComparedStats, useComparedStats } from './useComparedStats.ts'
import { presetOf, type StatsQuery, useStatsState } from './useStatsState.ts'

const measures = ['value', 'count'] as const
type Measure = (typeof measures)[number]
const kinds: readonly ChartKind[] = ['bar', 'line', 'pie']
const refreshMs = 5 * 60_000

/** Totals, their course over time, and their breakdown. */
export function StatsOfPeriod() {
  const { t } = useTranslation('transaction')
  const merchant = useMerchant()
  const search = useAddressQuery()
  const go = useGo()
  const { filters, state, query, change } = useStatsState()
  const possible = stepsFor(query)
  const addressStep = statsSteps.find((step) => step === oneOf(search, 'step'))
  const step =
    addressStep && possible.includes(addressStep) ? addressStep : stepFor(chartPeriod(state.filters.period?.[0], query))
  const measure = measures.find((one) => one === oneOf(search, 'measure')) ?? 'value'
  const set = (part: Search) => void go({ here: part }, { replace: true, resetScroll: false })
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queryOf(transactions.statsOfPeriod, { params: { merchantId: merchant.id }, query: { ...query, step } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const { comparison, set: compare } = useComparisonSearch()
  const compared = useComparedStats(query, step, comparison, presetOf(state.filters.period?.[0]))
  return (
    <Stack gap="part">
      <FilterBar
        filters={filters}
        values={state.filters}
        set={(key, values) => change({ filters: { ...state.filters, [key]: values } })}
        clear={() => change({ filters: {} })}
      />
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : !data ? (
        <>
          <Box h={92} bdrs="lg" bg="var(--sunken)" />
          <Box h={360} bdrs="lg" bg="var(--sunken)" />
        </>
      ) : data.totals.length === 0 ? (
        <Panel>
          <EmptyState title={t('stats.empty.title')} text={t('stats.empty.text')} />
        </Panel>
      ) : (
        <Stack gap="part" data-stale={isPlaceholderData}>
          <StatsTotals totals={data.totals} query={query} compared={compared} />
          <Flex gap="near" wrap="wrap">
            <Segments
              name={t('stats.step.label')}
              value={step}
              choose={(next) => set({ step: next })}
              options={possible.map((value) => ({ value, label: t(`stats.step.${value}`) }))}
            />
            <Segments
              name={t('stats.measure.label')}
              value={measure}
              choose={(next) => set({ measure: next === 'value' ? undefined : next })}
              options={measures.map((value) => ({ value, label: t(`stats.measure.${value}`) }))}
            />
            <ComparisonChoice value={comparison} choose={(next) => compare(next)} />
          </Flex>
          <Course
            stats={data}
            query={query}
            preset={state.filters.period?.[0]}
            step={data.step}
            measure={measure}
            compared={compared}
          />
          <UsedCodes query={query} />
        </Stack>
      )}
    </Stack>
  )
}

/** The sums per step: all counts in one chart, money in a chart for each currency. */
function Course({
  stats,
  query,
  preset,
  step,
  measure,
  compared,
}: {
  stats: Stats
  query: StatsQuery
  preset: string | undefined
  step: StatsStep
  measure: Measure
  compared: ComparedStats | undefined
}) {
  const { locale } = useFormat()
  const { timeZone } = useMerchant()
  const now = useNow()
  const steps = useMemo(() => chartStepsOf(query, preset, step), [query, preset, step])
  const categories = useMemo(() => stepNames(steps, step, locale), [steps, step, locale])
  const partial = currentStep(steps, step, now, timeZone)
  const common = { stats, steps, step, categories, partial, compared }
  return measure === 'count' ? (
    <StepChart {...common} />
  ) : (
    stats.totals.map(({ currency }) => <StepChart key={currency} {...common} currency={currency} />)
  )
}

interface StepChartProps {
  stats: Stats
  steps: readonly string[]
  step: StatsStep
  categories: readonly string[]
  partial: number | undefined
  compared: ComparedStats | undefined
  /** For money only. */
  currency?: Currency
}

/** The number of sales in each step, or their money in a currency. */
function StepChart({ stats, steps, step, categories, partial, compared, currency }: StepChartProps) {
  const { t } = useTranslation(['transaction', 'list'])
  const { number, money } = useFormat()
  const chart = useMemo(() => {
    const before = (measure: (sums: Sums) => number) => {
      const means = compared?.stepsBefore(measure, currency)
      if (!means) return []
      const values = steps.map((_, index) => means[index] ?? null)
      return [
        {
          name: t(`list:compare.${compared?.comparison ?? 'none'}`),
          values,
          kind: 'line' as const,
          color: 'ink-3',
          isDashed: true,
        },
      ]
    }
    if (!currency) {
      const values = valuesOf(steps, stats.series, ({ count }) => count, partial)
      return {
        series: [{ name: t('stats.measure.count'), values }, ...before(({ count }) => count)],
        format: (value: number) => number(value),
      }
    }
    const rows = stats.series.filter((row) => row.currency === currency)
    const values = valuesOf(steps, rows, ({ value }) => value, partial)
    return {
      series: [{ name: t('stats.measure.value'), values }, ...before(({ value }) => value)],
      format: (value: number) => money(Math.round(value), currency),
      formatShort: (value: number) => shortMoney(value, currency, { number, money }),
    }
  }, [stats.series, steps, partial, compared, currency, t, number, money])
  const title = currency ? t(`stats.chart.value.${step}`, { currency }) : t(`stats.chart.count.${step}`)
  return (
    <Card title={title}>
      <Chart
        {...chart}
        label={title}
        unit={currency ? currencies[currency].symbol : t('stats.measure.count')}
        kinds={kinds}
        categories={categories}
        categoryName={t(`stats.step.${step}`)}
        partial={partial}
        height={300}
      />
    </Card>
  )
}

/** Money on an axis: the symbol first as everywhere, thousands abbreviated as in the language. */
function shortMoney(
  minor: number,
  currency: Currency,
  { number, money }: Pick<ReturnType<typeof useFormat>, 'number' | 'money'>,
) {
  if (Math.abs(minor) < 100_000) return money(Math.round(minor), currency)
  const short = number(toMajor(minor, currency), { notation: 'compact', maximumFractionDigits: 1 })
  return `${currencies[currency].symbol}\u00a0${short}`
}
