import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { SalesToday } from '#contract/sales/dashboard.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { toMajor } from '#domain/money/money.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'

interface Props {
  sales: SalesToday
  /** The same weekdays before, in words. */
  lastDays: string
  /** In pixels. */
  height: number
}

/** Today's sales by hour over the usual range, as a chart. */
export function Hours({ sales, lastDays, height }: Props) {
  const { t } = useTranslation('dashboard')
  const { number, money } = useFormat()
  const { currency, hours, hourNow, usualDays } = sales
  const chart = useMemo(() => {
    const major = (minor: number) => toMajor(minor, currency)
    return {
      categories: hours.map(({ hour }) => String(hour).padStart(2, '0')),
      series: [
        {
          name: t('hours.today'),
          values: hours.map(({ hour, value }) => (hour <= hourNow ? major(value) : null)),
          kind: 'bar' as const,
          color: 'gold-fill',
        },
        ...(usualDays > 0
          ? [
              {
                name: t('hours.usual'),
                values: hours.map(({ usualValue }) => major(usualValue)),
                kind: 'line' as const,
                color: 'ink-3',
                isDashed: true,
              },
            ]
          : []),
      ],
      ...(usualDays > 0 && {
        band: {
          name: t('hours.range'),
          low: hours.map(({ usualLow }) => major(usualLow)),
          high: hours.map(({ usualHigh }) => major(usualHigh)),
        },
      }),
      format: (value: number) => money(Math.round(value * 10 ** currencies[currency].storageDigits), currency),
      formatShort: (value: number) => number(value, { notation: 'compact', maximumFractionDigits: 1 }),
    }
  }, [hours, hourNow, usualDays, currency, t, number, money])
  return (
    <Chart
      {...chart}
      label={t('hours.label', { lastDays })}
      unit={currencies[currency].symbol}
      categoryName={t('hours.hour')}
      partial={hourNow}
      height={height}
    />
  )
}
