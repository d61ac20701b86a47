import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { formatMoney, toMajor } from '#domain/money.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { lazyPart, Part } from '../lazyPart.tsx'
import { useIsPhone } from '../useIsPhone.ts'
import { drawnOf, kindsOf, measureOf, outlineOf, slicesOf } from './chartData.ts'
import classes from './ListChart.module.css'
import type { ListState } from './listState.ts'
import type { Column } from './types.ts'

const ChartCanvas = lazyPart(() => import('../ChartCanvas.tsx'))

/** Of a pie's parts; the last is of what is left. */
const colors = ['gold-fill', 'info', 'ok', 'crit', 'ink-3', 'line-strong']

interface Props<T> {
  items: readonly T[]
  columns: readonly Column<T>[]
  state: Pick<ListState, 'chart' | 'measure'>
}

/** The rows shown, drawn; the list below is the same as a table. */
export default function ListChart<T>({ items, columns, state }: Props<T>) {
  const { t } = useTranslation(['ui', 'list'])
  const format = useFormat()
  const isPhone = useIsPhone()
  const [asked, ask] = useState<Currency>()
  const measure = measureOf(columns, state.measure)
  const labelOf = columns.find(({ label }) => label)?.label
  const drawn = useMemo(
    () => measure && labelOf && drawnOf(items, measure, labelOf, asked),
    [items, measure, labelOf, asked],
  )
  const kind = measure && (kindsOf(measure).find((one) => one === state.chart) ?? 'bar')
  const props = useMemo(() => {
    if (!drawn || !measure) return undefined
    const { currency } = drawn
    const { names, values } =
      kind === 'pie'
        ? slicesOf(drawn, (count) => t('list:chart.others', { count, number: format.number(count) }))
        : drawn
    const write = (value: number) =>
      currency
        ? formatMoney(Math.round(value), currency)
        : measure.unit === 'percent'
          ? format.percent(value / 100)
          : format.number(value)
    return {
      kind,
      categories: names,
      categoryName: '',
      colors,
      series: [{ name: measure.name, values }],
      format: write,
      formatShort: (value: number) =>
        currency ? format.number(toMajor(value, currency), { notation: 'compact' }) : write(value),
    }
  }, [drawn, measure, kind, format, t])
  if (!drawn || !measure || !props) return null

  const rows = t('list:chart.rows', { count: drawn.values.length, number: format.number(drawn.values.length) })
  const outline = outlineOf(drawn)
  const isSummed = measure.unit !== 'percent'
  const summary = [
    t('list:chart.summary', { kind: t(`chart.${kind}`), measure: measure.name, rows }),
    outline && t('list:chart.highest', { name: outline.highest.name, value: props.format(outline.highest.value) }),
    outline && isSummed && t('list:chart.total', { value: props.format(outline.total) }),
  ]
  const height = isPhone ? 220 : 260
  const isEmpty = !outline || (kind === 'pie' && props.categories.length === 0)
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.head}>
        <span>{t('list:chart.about', { measure: measure.name, rows })}</span>
        {drawn.elsewhere > 0 && (
          <span className={classes.note}>
            {t('list:chart.elsewhere', { count: drawn.elsewhere, number: format.number(drawn.elsewhere) })}
          </span>
        )}
        {drawn.currencies.length > 1 && (
          <fieldset className={classes.currencies}>
            <legend className="unseen">{t('list:chart.currency')}</legend>
            {drawn.currencies.map((currency) => (
              <button
                key={currency}
                type="button"
                aria-pressed={currency === drawn.currency}
                onClick={() => ask(currency)}
              >
                {currency}
              </button>
            ))}
          </fieldset>
        )}
      </figcaption>
      {isEmpty ? (
        <p className={classes.empty} style={{ height }}>
          {t('list:chart.none')}
        </p>
      ) : (
        <Part fallback={<div style={{ height }} />}>
          <div role="img" aria-label={summary.filter(Boolean).join(' ')} style={{ height }}>
            <ChartCanvas label={measure.name} {...props} height={height} />
          </div>
        </Part>
      )}
    </figure>
  )
}
