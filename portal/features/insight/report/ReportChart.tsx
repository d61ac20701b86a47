import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report } from '#contract/insight/report.ts'
import { numberedDimensions, reportFigures } from '#contract/vocabulary/insight/report.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import type { ChartKind } from '#portal/ui/chart/chartProps.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import type { ReportNames } from './useReportNames.ts'

const kinds: readonly ChartKind[] = ['bar', 'line', 'pie']
const mostBars = 12

const inNumbers = (rows: Report['rows']) =>
  rows.toSorted((one, other) => Number(one.keys[0] ?? -1) - Number(other.keys[0] ?? -1))

/** The main figure by the first grouping, beside the compared one. */
export function ReportChart({ report, currency, names }: { report: Report; currency: Currency; names: ReportNames }) {
  const { t } = useTranslation('report')
  const { money, number } = useFormat()
  const [main = 'value'] = report.figures
  const [first = 'product'] = report.by
  const bars = useMemo(() => {
    const sums = new Map<string, { value: number; before: number }>()
    const isNumbered = numberedDimensions.includes(first)
    const rows = report.rows.filter((one) => one.currency === currency)
    // The table may have another order.
    for (const row of isNumbered ? inNumbers(rows) : rows) {
      const [name = ''] = names.keys(report.by, row)
      const bar = sums.get(name) ?? { value: 0, before: 0 }
      bar.value += row.values[0] ?? 0
      bar.before += row.before?.[0] ?? 0
      sums.set(name, bar)
    }
    return isNumbered
      ? [...sums].slice(0, 24)
      : [...sums].sort(([, one], [, other]) => other.value - one.value).slice(0, mostBars)
  }, [report, currency, names, first])
  if (bars.length < 2) return null
  const isMoney = reportFigures[main] === 'money'
  const what = { figure: names.figure(main), by: names.dimension(first), currency }
  const title = t(report.totals.length > 1 ? 'chartOf' : 'chart', what)
  return (
    <Card title={title} note={bars.length === mostBars ? t('chartNote', { number: number(mostBars) }) : undefined}>
      <Chart
        label={title}
        kinds={kinds}
        categories={bars.map(([name]) => name)}
        categoryName={names.dimension(first)}
        unit={isMoney ? currencies[currency].symbol : names.figure(main)}
        series={[
          { name: t('thisPeriod'), values: bars.map(([, { value }]) => value), color: 'gold-fill' },
          ...(report.compare
            ? [{ name: t('comparedPeriod'), values: bars.map(([, { before }]) => before), color: 'ink-3' }]
            : []),
        ]}
        format={(value) => (isMoney ? money(Math.round(value), currency) : number(value, { maximumFractionDigits: 1 }))}
        formatShort={(value) =>
          number(isMoney ? value / 10 ** currencies[currency].storageDigits : value, {
            notation: 'compact',
            maximumFractionDigits: 1,
          })
        }
        height={300}
      />
    </Card>
  )
}
