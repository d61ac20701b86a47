import { Center, Flex, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { toMajor } from '#domain/money/money.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import type { PageOf } from '../rows/useRows.ts'
import type { ListState } from '../state/listState.ts'
import type { Column } from '../types.ts'
import { binsOf, drawnOf, kindsOf, measureOf, outlineOf, slicesOf } from './chartData.ts'
import classes from './ListChart.module.css'
import { useMatching } from './useMatching.ts'

const ChartCanvas = lazyPart(() => import('#portal/ui/chart/ChartCanvas.tsx'))

/** Colours of a pie's parts; the last is for the other parts together. */
const colors = ['gold-fill', 'info', 'ok', 'crit', 'ink-3', 'line-strong']

interface Props<T> {
  row: AnyEndpoint
  params: unknown
  query: Record<string, unknown>
  /** The current page. */
  page: PageOf<T>
  columns: readonly Column<T>[]
  state: Pick<ListState, 'chart' | 'measure'>
}

/** A chart of all matching rows; the list below shows them by page. */
export default function ListChart<T>({ row, params, query, page, columns, state }: Props<T>) {
  const { t } = useTranslation(['ui', 'list'])
  const format = useFormat()
  const isPhone = useIsPhone()
  const [currencyChoice, setCurrencyChoice] = useState<Currency>()
  const items = useMatching(row, { params, query }, page)
  const measure = measureOf(columns, state.measure)
  const labelOf = columns.find(({ label }) => label)?.label
  const drawn = useMemo(
    () => items && measure && labelOf && drawnOf(items, measure, labelOf, currencyChoice),
    [items, measure, labelOf, currencyChoice],
  )
  const kind = measure && (kindsOf(measure).find((one) => one === state.chart) ?? 'bar')
  const props = useMemo(() => {
    if (!drawn || !measure) return undefined
    const { currency } = drawn
    const { names, values } =
      kind === 'pie'
        ? slicesOf(drawn, (count) => t('list:chart.others', { count, number: format.number(count) }))
        : binsOf(drawn, measure.unit === 'percent')
    const write = (value: number) =>
      currency
        ? format.money(Math.round(value), currency)
        : measure.unit === 'percent'
          ? format.percent(value / 100)
          : format.number(value)
    return {
      kind,
      categories: names,
      categoryName: '',
      unit: currency ? currencies[currency].symbol : measure.unit === 'percent' ? '%' : measure.name,
      colors,
      series: [{ name: measure.name, values }],
      format: write,
      formatShort: (value: number) =>
        currency ? format.number(toMajor(value, currency), { notation: 'compact' }) : write(value),
    }
  }, [drawn, measure, kind, format, t])
  if (!measure || !labelOf) return null
  if (!drawn || !props)
    return <Panel mb="sm" py="sm" px="md" shadow="xs" style={{ minHeight: isPhone ? 220 : 260 }} aria-busy />

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
    <Panel component="figure" mb="sm" py="sm" px="md" shadow="xs">
      <Flex
        component="figcaption"
        rowGap="tight"
        columnGap="part"
        wrap="wrap"
        align="center"
        mih={28}
        mb="near"
        fw={600}
      >
        <span>{t('list:chart.about', { measure: measure.name, rows })}</span>
        {drawn.elsewhere > 0 && (
          <Text span c="dimmed" fz="sm" fw={400}>
            {t('list:chart.elsewhere', { count: drawn.elsewhere, number: format.number(drawn.elsewhere) })}
          </Text>
        )}
        {drawn.currencies.length > 1 && (
          <CurrencySwitch currencies={drawn.currencies} value={drawn.currency} choose={setCurrencyChoice} />
        )}
      </Flex>
      {isEmpty ? (
        <Center component="p" c="dimmed" style={{ height }}>
          {t('list:chart.none')}
        </Center>
      ) : (
        <Part fallback={<div style={{ height }} />}>
          <div role="img" aria-label={summary.filter(Boolean).join(' ')} style={{ height }}>
            <ChartCanvas label={measure.name} {...props} height={height} />
          </div>
        </Part>
      )}
    </Panel>
  )
}

interface SwitchProps {
  currencies: readonly Currency[]
  value: Currency | undefined
  choose: (currency: Currency) => void
}

/** A chart is of one currency. */
function CurrencySwitch({ currencies: offered, value, choose }: SwitchProps) {
  const { t } = useTranslation('list')
  return (
    <Flex
      component="fieldset"
      gap="hair"
      ml="auto"
      p="hair"
      bdrs="md"
      bg="var(--sunken)"
      className={classes.currencies}
    >
      <legend className="unseen">{t('chart.currency')}</legend>
      {offered.map((currency) => (
        <button key={currency} type="button" aria-pressed={currency === value} onClick={() => choose(currency)}>
          {currency}
        </button>
      ))}
    </Flex>
  )
}
