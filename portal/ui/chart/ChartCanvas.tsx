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

function optionOf(props: ChartProps, kind: ChartKind, width: number): EChartsCoreOption {
  const { categories, series, band, format, formatShort = format, partial } = props
  const ink2 = token('ink-2')
  const ink3 = token('ink-3')
  const line1 = token('line')
  const surface = token('surface')
  const ink = token('ink')
  const text = { fontFamily: font, color: ink2, fontSize }
  const tooltip = {
    backgroundColor: surface,
    borderColor: line1,
    textStyle: { ...text, color: ink },
    extraCssText: 'box-shadow:var(--shadow-pop);border-radius:8px',
    confine: true,
  }
  const colorOf = (index: number, name?: string) => token(name ?? (palette[index % palette.length] as string))
  const legend = {
    type: 'plain',
    bottom: 0,
    padding: sizes.padding,
    itemGap: sizes.gap,
    itemWidth: sizes.mark,
    itemHeight: sizes.mark,
    icon: 'roundRect',
    textStyle: text,
  }
  if (kind === 'pie') {
    const [first] = series
    return {
      animation: false,
      tooltip: { ...tooltip, formatter: (hit: TooltipPoint) => line(hit.color, hit.name, format(hit.value ?? 0)) },
      legend: { ...legend, type: 'scroll' },
      series: [
        {
          type: 'pie',
          radius: ['48%', '76%'],
          center: ['50%', '45%'],
          itemStyle: { borderColor: surface, borderWidth: 2 },
          label: { ...text, show: width >= narrow, color: ink2, overflow: 'truncate', width: 110 },
          data: categories.map((name, index) => ({
            name,
            value: first?.values[index] ?? 0,
            itemStyle: { color: colorOf(index, props.colors?.[index]) },
          })),
        },
      ],
    }
  }
  const drawn = series.map(({ name, values, kind: seriesKind, color, isDashed }, index) => {
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
  const shade = band && [
    { ...area, name: '\u0000low', data: band.low, areaStyle: { opacity: 0 } },
    {
      ...area,
      name: band.name,
      data: band.high.map((high, index) => high - (band.low[index] ?? 0)),
      areaStyle: { color: token('sunken'), opacity: 1 },
      itemStyle: { color: line1 },
    },
  ]
  const named = [...series, ...(band ? [band] : [])].map(({ name }) => name)
  const isLegendUseful = named.length > 1
  return {
    animation: false,
    textStyle: text,
    grid: {
      left: 4,
      right: 8,
      top: 30,
      bottom: isLegendUseful ? legendHeight(named, width) : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: isLegendUseful ? { ...legend, data: named } : undefined,
    tooltip: {
      ...tooltip,
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { color: token('line'), opacity: 0.35 } },
      formatter: (hits: TooltipPoint[]) => {
        const at = hits[0]?.dataIndex ?? 0
        const lines = series.map(({ name, values, color }, index) =>
          typeof values[at] === 'number' ? line(colorOf(index, color), name, format(values[at])) : '',
        )
        if (band) lines.push(line(line1, band.name, `${format(band.low[at] ?? 0)} – ${format(band.high[at] ?? 0)}`))
        return `<div style="margin-bottom:4px;color:${ink2}">${escaped(hits[0]?.name ?? '')}</div>${lines.join('')}`
      },
    },
    xAxis: {
      type: 'category',
      data: categories,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: line1 } },
      // The first label starts at its tick: centred, it would cover the amounts beside it on a phone.
      axisLabel: { ...text, color: ink2, hideOverlap: true, alignMinLabel: 'left' },
    },
    yAxis: {
      type: 'value',
      name: props.unit,
      nameLocation: 'end',
      nameGap: 12,
      nameTextStyle: { ...text, color: ink3, align: 'left' },
      splitNumber: 4,
      // Counts and minor units are whole numbers.
      minInterval: 1,
      splitLine: { lineStyle: { color: line1 } },
      axisLabel: { ...text, color: ink3, formatter: (value: number) => formatShort(value) },
    },
    series: [...(shade ?? []), ...drawn],
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
