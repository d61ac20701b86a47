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
  const { t } = useTranslation('transaction')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const now = useNow()
  const steps = useMemo(() => stepsOf(query, step), [query, step])
  const categories = useMemo(() => stepNames(steps, step, format.locale), [steps, step, format.locale])
  const partial = currentStep(steps, step, now, timeZone)
  const common = { categories, categoryName: t(`stats.step.${step}`), kinds, partial, height: 300 }
  if (measure === 'count') {
    const title = t(`stats.chart.count.${step}`)
    const name = t('stats.measure.count')
    return (
      <Card title={title}>
        <Chart
          {...common}
          label={title}
          series={[{ name, values: valuesOf(steps, stats.series, ({ count }) => count, partial) }]}
          format={(value) => format.number(value)}
        />
      </Card>
    )
  }
  return stats.totals.map(({ currency }) => {
    const title = t(`stats.chart.value.${step}`, { currency })
    const rows = stats.series.filter((row) => row.currency === currency)
    return (
      <Card key={currency} title={title}>
        <Chart
          {...common}
          label={title}
          series={[{ name: t('stats.measure.value'), values: valuesOf(steps, rows, ({ value }) => value, partial) }]}
          format={(value) => formatMoney(Math.round(value), currency)}
          formatShort={(value) => shortMoney(value, currency, format.locale)}
        />
      </Card>
    )
  })
}

/** Money on an axis: the symbol first as everywhere, thousands as the language shortens them. */
function shortMoney(minor: number, currency: Currency, language: string) {
  if (Math.abs(minor) < 100_000) return formatMoney(Math.round(minor), currency)
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return `${currencies[currency].symbol}\u00a0${short.format(toMajor(minor, currency))}`
}
