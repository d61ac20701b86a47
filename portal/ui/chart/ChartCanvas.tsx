import { useComputedColorScheme } from '@mantine/core'
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type ECharts, type EChartsCoreOption, init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { memo, useEffect, useRef } from 'react'
import { followSize } from '../followSize.ts'
import { escaped } from '../value/escaped.ts'
import type { ChartKind, ChartProps } from './chartProps.ts'
import { legendRows } from './legendRows.ts'
import { token } from './token.ts'

register([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

/** Colours in the order of the series. */
const palette = ['gold-fill', 'info', 'ok', 'crit', 'ink-3', 'warn']

const font = '"Inter Variable", system-ui, sans-serif'
const fontSize = 12

/** A legend's sizes in pixels: colour mark, gaps between names, gap around all, and row distance. */
const sizes = { mark: 10, afterMark: 5, gap: 8, padding: 5, row: 20 }

/** Height of a legend in pixels; it wraps when its names do not fit side by side. */
function legendHeight(names: readonly string[], width: number): number {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen) pen.font = `${fontSize}px ${font}`
  const widths = names.map((name) => sizes.mark + sizes.afterMark + (pen?.measureText(name).width ?? 0))
  return 2 * sizes.padding + sizes.row * legendRows(widths, sizes.gap, width - 2 * sizes.padding)
}

interface TooltipPoint {
  seriesName: string
  seriesIndex: number
  dataIndex: number
  name: string
  value: number | null
  color: string
}
const line = (color: string, name: string, value: string) =>
  `<div style="display:flex;gap:8px;align-items:center"><span style="width:8px;height:8px;border-radius:2px;background:${color}"></span>${escaped(name)}<b style="margin-left:auto;padding-left:16px;font-weight:600">${escaped(value)}</b></div>`

/** Below this width in pixels, names beside a pie would be cut; the legend shows them. */
const narrow = 520

const colorOf = (index: number, name?: string) => token(name ?? (palette[index % palette.length] as string))

/** The text of all labels, in the colours of the scheme. */
const textStyle = () => ({ fontFamily: font, color: token('ink-2'), fontSize })

const tooltipStyle = () => ({
  backgroundColor: token('surface'),
  borderColor: token('line'),
  textStyle: { ...textStyle(), color: token('ink') },
  extraCssText: 'box-shadow:var(--shadow-pop);border-radius:8px',
  confine: true,
})

const legendStyle = () => ({
  type: 'plain',
  bottom: 0,
  padding: sizes.padding,
  itemGap: sizes.gap,
  itemWidth: sizes.mark,
  itemHeight: sizes.mark,
  icon: 'roundRect',
  textStyle: textStyle(),
})

function pieOption({ categories, series: [first], format, colors }: ChartProps, width: number): EChartsCoreOption {
  return {
    animation: false,
    tooltip: {
      ...tooltipStyle(),
      formatter: (hit: TooltipPoint) => line(hit.color, hit.name, format(hit.value ?? 0)),
    },
    legend: { ...legendStyle(), type: 'scroll' },
    series: [
      {
        type: 'pie',
        radius: ['48%', '76%'],
        center: ['50%', '45%'],
        itemStyle: { borderColor: token('surface'), borderWidth: 2 },
        label: { ...textStyle(), show: width >= narrow, overflow: 'truncate', width: 110 },
        data: categories.map((name, index) => ({
          name,
          value: first?.values[index] ?? 0,
          itemStyle: { color: colorOf(index, colors?.[index]) },
        })),
      },
    ],
  }
}

/** Bars and lines. A bar of a period that is not over is paler. */
const drawnSeries = ({ series, partial }: ChartProps, kind: ChartKind) =>
  series.map(({ name, values, kind: seriesKind, color, isDashed }, index) => {
    const paint = colorOf(index, color)
    return (seriesKind ?? kind) === 'bar'
      ? {
          name,
          type: 'bar',
          barMaxWidth: 36,
          barCategoryGap: '58%',
          barGap: '20%',
          z: 3,
          itemStyle: { color: paint, borderRadius: [3, 3, 0, 0] },
          data: values.map((value, at) => (at === partial ? { value, itemStyle: { opacity: 0.55 } } : value)),
        }
      : {
          name,
          type: 'line',
          z: 4,
          symbol: 'none',
          smooth: 0.15,
          lineStyle: { color: paint, width: isDashed ? 1.4 : 2, type: isDashed ? [3, 3] : 'solid' },
          itemStyle: { color: paint },
          data: values,
        }
  })

/** The shaded area of usual values: an invisible line, and the height above it. */
function bandSeries(band: NonNullable<ChartProps['band']>) {
  const area = {
    type: 'line',
    stack: 'band',
    symbol: 'none',
    smooth: 0.15,
    lineStyle: { opacity: 0 },
    silent: true,
    z: 1,
    // A hover would lighten it until it is invisible.
    emphasis: { disabled: true },
  }
  return [
    { ...area, name: '\u0000low', data: band.low, areaStyle: { opacity: 0 } },
    {
      ...area,
      name: band.name,
      data: band.high.map((high, index) => high - (band.low[index] ?? 0)),
      areaStyle: { color: token('sunken'), opacity: 1 },
      itemStyle: { color: token('line') },
    },
  ]
}

/** All values at one category. */
function tooltipText({ series, band, format }: ChartProps, hits: readonly TooltipPoint[]): string {
  const at = hits[0]?.dataIndex ?? 0
  const lines = series.map(({ name, values, color }, index) =>
    typeof values[at] === 'number' ? line(colorOf(index, color), name, format(values[at])) : '',
  )
  if (band) lines.push(line(token('line'), band.name, `${format(band.low[at] ?? 0)} – ${format(band.high[at] ?? 0)}`))
  return `<div style="margin-bottom:4px;color:${token('ink-2')}">${escaped(hits[0]?.name ?? '')}</div>${lines.join('')}`
}

function axes({ categories, unit, format, formatShort = format }: ChartProps) {
  const text = textStyle()
  const rule = token('line')
  const ink3 = token('ink-3')
  return {
    xAxis: {
      type: 'category',
      data: categories,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: rule } },
      // The first label starts at its tick: centred, it would cover the amounts beside it on a phone.
      axisLabel: { ...text, hideOverlap: true, alignMinLabel: 'left' },
    },
    yAxis: {
      type: 'value',
      name: unit,
      nameLocation: 'end',
      nameGap: 12,
      nameTextStyle: { ...text, color: ink3, align: 'left' },
      splitNumber: 4,
      // Counts and minor units are whole numbers.
      minInterval: 1,
      splitLine: { lineStyle: { color: rule } },
      axisLabel: { ...text, color: ink3, formatter: (value: number) => formatShort(value) },
    },
  }
}

function optionOf(props: ChartProps, kind: ChartKind, width: number): EChartsCoreOption {
  if (kind === 'pie') return pieOption(props, width)
  const { series, band } = props
  const names = [...series, ...(band ? [band] : [])].map(({ name }) => name)
  const isLegendUseful = names.length > 1
  return {
    animation: false,
    textStyle: textStyle(),
    grid: {
      left: 4,
      right: 8,
      top: 30,
      bottom: isLegendUseful ? legendHeight(names, width) : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: isLegendUseful ? { ...legendStyle(), data: names } : undefined,
    tooltip: {
      ...tooltipStyle(),
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: token('line'), opacity: 0.35 } },
      formatter: (hits: TooltipPoint[]) => tooltipText(props, hits),
    },
    ...axes(props),
    series: [...(band ? bandSeries(band) : []), ...drawnSeries(props, kind)],
  }
}

/** The drawing itself, with the colours of the scheme. */
function ChartCanvas({ kind = 'bar', height, ...props }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(undefined)
  const draw = useRef(() => {})
  const scheme = useComputedColorScheme()
  useEffect(() => {
    const made = init(box.current, undefined, { renderer: 'svg' })
    chart.current = made
    const forget = box.current ? followSize(made, box.current, () => draw.current()) : undefined
    return () => {
      forget?.()
      made.dispose()
    }
  }, [])
  // The tokens behind the colours follow the scheme.
  useEffect(() => {
    draw.current = () =>
      chart.current?.setOption(optionOf(props as ChartProps, kind, chart.current.getWidth()), { notMerge: true })
    // The attribute that changes the tokens is set in the same commit; the new values apply one frame later.
    const frame = requestAnimationFrame(() => draw.current())
    return () => cancelAnimationFrame(frame)
  }, [props, kind, scheme])
  return <div ref={box} style={{ height }} />
}

/** A redraw closes the open tooltip, so the same props must not redraw. */
export default memo(ChartCanvas)
