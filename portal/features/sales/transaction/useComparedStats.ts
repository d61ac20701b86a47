import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Comparison } from '#contract/frame/comparison.ts'
import { type StatsOfPeriod, type StatsStep, type Sums, transactions } from '#contract/sales/transaction.ts'
import { comparedPeriods, meanOver, periodsWithData } from '#domain/time/comparison.ts'
import type { Period, PeriodPreset } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { stepsOf, valuesOf } from './statsSteps.ts'
import { useFirstDay } from './useFirstDay.ts'
import type { StatsQuery } from './useStatsState.ts'

type Figure = 'value' | 'count' | 'freeCount' | 'errorCount'

/** The statistics that those of a period are compared with. */
export interface ComparedStats {
  comparison: Comparison
  periods: readonly Period[]
  /** A figure of a currency, as the mean over the periods. */
  before: (currency: Sums['currency'], figure: Figure) => number
  /** The mean of each step, the first step first. */
  stepsBefore: (measure: (sums: Sums) => number, currency?: Sums['currency']) => number[]
}

/** Undefined without a comparison, and until all its periods are known. */
export function useComparedStats(
  query: StatsQuery,
  step: StatsStep,
  comparison: Comparison | undefined,
  preset: PeriodPreset | undefined,
): ComparedStats | undefined {
  const { id: merchantId } = useMerchant()
  const firstDay = useFirstDay(query)
  const periods = useMemo(
    () =>
      comparison && firstDay !== undefined ? periodsWithData(comparedPeriods(comparison, query, preset), firstDay) : [],
    [comparison, query, preset, firstDay],
  )
  const answers = useQueries({
    queries: periods.map((period) =>
      queryOf(transactions.statsOfPeriod, { params: { merchantId }, query: { ...query, ...period, step } }),
    ),
    combine: loadedStats,
  })
  return useMemo(() => {
    if (!comparison || firstDay === undefined || answers.length < periods.length) return undefined
    const mean = (values: readonly number[]) => meanOver(values, periods.length)
    return {
      comparison,
      periods,
      before: (currency, figure) =>
        mean(answers.map(({ totals }) => totals.find((one) => one.currency === currency)?.[figure] ?? 0)),
      stepsBefore: (measure, currency) => {
        const courses = answers.map(({ series }, index) =>
          valuesOf(
            stepsOf(periods[index] ?? query, step),
            currency ? series.filter((row) => row.currency === currency) : series,
            measure,
            undefined,
          ),
        )
        return (courses[0] ?? []).map((_, index) => mean(courses.map((course) => course[index] ?? 0)))
      },
    }
  }, [comparison, firstDay, periods, answers, query, step])
}

const loadedStats = (answers: readonly { data?: StatsOfPeriod | undefined }[]) =>
  answers.flatMap(({ data }) => (data ? [data] : []))
