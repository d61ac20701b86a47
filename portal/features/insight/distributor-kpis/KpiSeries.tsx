import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Down, Taken } from '#contract/insight/distributor-kpis.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { mondayOf } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import { Card } from '#portal/ui/page/Card.tsx'

/** Days of more than a quarter are added up to weeks. */
const mostDays = 92

type Props =
  | { kind: 'rejections'; days: readonly (Taken & { day: string })[] }
  | { kind: 'downtime'; days: readonly (Down & { day: string })[] }

const percentOf = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 1000) / 10 : null)

/** The course of a rate over the interval. A step without data is empty. */
export function KpiSeries({ kind, days }: Props) {
  const { t } = useTranslation('distributor-kpis')
  const { day: dayOf, number } = useFormat()
  const isWeekly = days.length > mostDays
  const chart = useMemo(() => {
    const steps = Map.groupBy(days as readonly ((Taken | Down) & { day: string })[], ({ day }) =>
      isWeekly ? mondayOf(day) : day,
    )
    const values = [...steps.values()].map((rows) => {
      const sum = (key: string) => rows.reduce((all, row) => all + Number((row as Record<string, unknown>)[key]), 0)
      if (kind === 'downtime') return percentOf(sum('blockedSeconds'), sum('seconds'))
      const rate = rejectionRate({ accepted: sum('accepted'), rejected: sum('rejected') })
      return rate === null ? null : Math.round(rate * 10) / 10
    })
    return {
      categories: [...steps.keys()].map((day) => dayOf(day)),
      series: [
        {
          name: t(kind === 'rejections' ? 'rate' : 'share'),
          values,
          kind: 'line' as const,
          ...(kind === 'downtime' && { color: 'crit' }),
        },
      ],
      format: (value: number) => number(value, { maximumFractionDigits: 1 }),
    }
  }, [days, kind, isWeekly, t, dayOf, number])
  const title = t(kind === 'rejections' ? 'series' : 'seriesDowntime')
  return (
    <Card title={title} note={t(isWeekly ? 'perWeek' : 'perDay')}>
      <Chart {...chart} label={title} unit="%" categoryName={t(isWeekly ? 'week' : 'day')} />
    </Card>
  )
}
