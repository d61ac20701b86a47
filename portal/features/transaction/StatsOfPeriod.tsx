import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type StatsOfPeriod as Stats, type StatsStep, statsSteps, transactions } from '#contract/transaction.ts'
import { type Currency, currencies } from '#contract/vocabulary/currencies.ts'
import { formatMoney, toMajor } from '#domain/money.ts'
import { stepFor } from '#domain/stats-step.ts'
import { queryOf } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { oneOf, type Search } from '../../app/search.ts'
import { Card } from '../../ui/Card.tsx'
import { Chart } from '../../ui/Chart.tsx'
import type { ChartKind } from '../../ui/chartProps.ts'
import { EmptyState, ErrorState } from '../../ui/ErrorState.tsx'
import { FilterBar } from '../../ui/list/FilterBar.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { useNow } from '../../ui/When.tsx'
import { StatsTotals } from './StatsTotals.tsx'
import { currentStep, stepNames, stepsFor, stepsOf, valuesOf } from './statsSteps.ts'
import classes from './Transaction.module.css'
import { UsedCodes } from './UsedCodes.tsx'
import { type StatsQuery, useStatsState } from './useStatsState.ts'

const measures = ['value', 'count'] as const
type Measure = (typeof measures)[number]
const kinds: readonly ChartKind[] = ['bar', 'line', 'pie']
const refreshMs = 5 * 60_000

/** Totals, their course over time, and what they are made of. */
export function StatsOfPeriod() {
  const { t } = useTranslation('transaction')
  const merchant = useMerchant()
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { filters, state, query, change } = useStatsState()
  const possible = stepsFor(query)
  const asked = statsSteps.find((step) => step === oneOf(search, 'step'))
  const step = asked && possible.includes(asked) ? asked : stepFor(query)
  const measure = measures.find((one) => one === oneOf(search, 'measure')) ?? 'value'
  const set = (part: Search) =>
    void navigate({ to: '.', search: { ...search, ...part }, replace: true, resetScroll: false } as never)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queryOf(transactions.statsOfPeriod, { params: { merchantId: merchant.id }, query: { ...query, step } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <div className={classes.stats}>
      <FilterBar
        filters={filters}
        values={state.filters}
        set={(key, values) => change({ filters: { ...state.filters, [key]: values } })}
      />
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : !data ? (
        <>
          <div className={classes.bone} />
          <div className={classes.chartBone} />
        </>
      ) : data.totals.length === 0 ? (
        <div className={classes.paper}>
          <EmptyState title={t('stats.empty.title')} text={t('stats.empty.text')} />
        </div>
      ) : (
        <div className={classes.stats} data-stale={isPlaceholderData}>
          <StatsTotals totals={data.totals} query={query} />
          <div className={classes.tools}>
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
          </div>
          <Course stats={data} query={query} step={data.step} measure={measure} />
          <UsedCodes query={query} />
        </div>
      )}
    </div>
  )
}

/** The sums step by step: counts together, money in a chart for each currency. */
function Course({
  stats,
  query,
  step,
  measure,
}: {
  stats: Stats
  query: StatsQuery
  step: StatsStep
  measure: Measure
}) {
  const { locale } = useFormat()
  const { timeZone } = useMerchant()
  const now = useNow()
  const steps = useMemo(() => stepsOf(query, step), [query, step])
  const categories = useMemo(() => stepNames(steps, step, locale), [steps, step, locale])
  const partial = currentStep(steps, step, now, timeZone)
  const common = { stats, steps, step, categories, partial }
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
  /** Of money alone. */
  currency?: Currency
}

/** How many there were in each step, or what they came to in a currency. */
function StepChart({ stats, steps, step, categories, partial, currency }: StepChartProps) {
  const { t } = useTranslation('transaction')
  const { locale, number } = useFormat()
  const shown = useMemo(() => {
    if (!currency) {
      const values = valuesOf(steps, stats.series, ({ count }) => count, partial)
      return { series: [{ name: t('stats.measure.count'), values }], format: (value: number) => number(value) }
    }
    const rows = stats.series.filter((row) => row.currency === currency)
    const values = valuesOf(steps, rows, ({ value }) => value, partial)
    return {
      series: [{ name: t('stats.measure.value'), values }],
      format: (value: number) => formatMoney(Math.round(value), currency),
      formatShort: (value: number) => shortMoney(value, currency, locale),
    }
  }, [stats.series, steps, partial, currency, t, number, locale])
  const title = currency ? t(`stats.chart.value.${step}`, { currency }) : t(`stats.chart.count.${step}`)
  return (
    <Card title={title}>
      <Chart
        {...shown}
        label={title}
        kinds={kinds}
        categories={categories}
        categoryName={t(`stats.step.${step}`)}
        partial={partial}
        height={300}
      />
    </Card>
  )
}

/** Money on an axis: the symbol first as everywhere, thousands as the language shortens them. */
function shortMoney(minor: number, currency: Currency, language: string) {
  if (Math.abs(minor) < 100_000) return formatMoney(Math.round(minor), currency)
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return `${currencies[currency].symbol}\u00a0${short.format(toMajor(minor, currency))}`
}
