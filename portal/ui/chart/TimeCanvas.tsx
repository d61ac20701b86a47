import { useComputedColorScheme } from '@mantine/core'
import { LineChart } from 'echarts/charts'
import { DataZoomComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { type ECharts, type EChartsCoreOption, init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { memo, useEffect, useRef } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import { followSize } from '../followSize.ts'
import { escaped } from '../value/escaped.ts'
import type { TimeChartProps, TimePoint } from './timeChartProps.ts'
import { token } from './token.ts'

register([LineChart, GridComponent, TooltipComponent, DataZoomComponent, MarkLineComponent, SVGRenderer])

/** Points with a gap where a measurement is missing, so that no line crosses it. */
function withGaps(points: readonly TimePoint[], gap: number): (TimePoint | { at: number })[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    return before && point.at - before.at > gap ? [{ at: before.at + gap / 2 }, point] : [point]
  })
}

type Extent = { min: number; max: number }
type Writers = { day: Intl.DateTimeFormat; time: Intl.DateTimeFormat }

const textStyle = () => ({ fontFamily: '"Inter Variable", system-ui, sans-serif', color: token('ink-2'), fontSize: 12 })

/** The time of a point, its mean, and its range if it has one. */
function tooltipText({ names, format, formatTime }: TimeChartProps, point: TimePoint): string {
  const ink2 = token('ink-2')
  const range =
    point.min === point.max
      ? ''
      : `<div style="color:${ink2}">${escaped(names.range)} ${escaped(format(point.min))} – ${escaped(format(point.max))}</div>`
  return `<div style="color:${ink2}">${escaped(formatTime(point.at))}</div><div>${escaped(names.avg)} <b>${escaped(format(point.avg))}</b></div>${range}`
}

function axes(props: TimeChartProps, write: Writers) {
  const { low, high, limits } = props
  const line = token('line')
  const text = textStyle()
  const values = limits.map(({ value }) => value)
  return {
    xAxis: {
      type: 'time',
      min: props.from,
      max: props.to,
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        hideOverlap: true,
        formatter: (at: number) => (at % 86_400_000 === 0 ? write.day : write.time).format(at),
      },
    },
    yAxis: {
      type: 'value',
      scale: true,
      // The limits stay visible, however far the curve is from them.
      min: low ?? (({ min }: Extent) => Math.floor(Math.min(min, ...values))),
      max: high ?? (({ max }: Extent) => Math.ceil(Math.max(max, ...values))),
      splitNumber: 4,
      // Even steps between fixed ends: 100 % does not round to 90 %.
      ...(low !== undefined && high !== undefined && { interval: (high - low) / 4 }),
      splitLine: { lineStyle: { color: line } },
      axisLabel: { ...text, color: token('ink-3'), formatter: props.format },
    },
  }
}

/** Zooms by wheel and by a slider below the curve. */
function zooms([startValue, endValue]: TimeChartProps['window']) {
  const zoom = { startValue, endValue, filterMode: 'none', minValueSpan: 30 * 60_000 }
  return [
    { ...zoom, type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
    {
      ...zoom,
      type: 'slider',
      bottom: 4,
      height: 26,
      borderColor: token('line'),
      fillerColor: token('gold-soft'),
      dataBackground: { lineStyle: { color: token('ink-3') }, areaStyle: { color: token('sunken') } },
      selectedDataBackground: { lineStyle: { color: token('gold-fill') }, areaStyle: { color: token('gold-soft') } },
      textStyle: { ...textStyle(), color: 'transparent' },
      brushSelect: false,
    },
  ]
}

/** The mean as a line over the range from lowest to highest, with the limits across. */
function curves({ points, gap, limits, names }: TimeChartProps) {
  const rows = withGaps(points, gap)
  const of = (value: (point: TimePoint) => number) =>
    rows.map((point) => [point.at, 'avg' in point ? value(point) : null])
  const gold = token('gold-fill')
  const band = {
    type: 'line',
    stack: 'range',
    stackStrategy: 'all',
    symbol: 'none',
    silent: true,
    z: 1,
    emphasis: { disabled: true },
  }
  return [
    { ...band, name: '\u0000low', data: of(({ min }) => min), lineStyle: { opacity: 0 }, areaStyle: { opacity: 0 } },
    {
      ...band,
      name: names.range,
      data: of(({ min, max }) => max - min),
      lineStyle: { opacity: 0 },
      areaStyle: { color: gold, opacity: 0.28 },
    },
    {
      name: names.avg,
      type: 'line',
      z: 3,
      symbol: 'none',
      showSymbol: false,
      lineStyle: { color: gold, width: 1.8 },
      itemStyle: { color: gold },
      data: of(({ avg }) => avg),
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        lineStyle: { color: token('crit'), type: [5, 4], width: 1.4 },
        label: { ...textStyle(), color: token('crit'), position: 'insideEndTop', formatter: '{b}' },
        data: limits.map(({ name, value, color }) => ({
          name,
          yAxis: value,
          ...(color && { lineStyle: { color: token(color) }, label: { color: token(color) } }),
        })),
      },
    },
  ]
}

function optionOf(props: TimeChartProps, write: Writers): EChartsCoreOption {
  const text = textStyle()
  const byTime = new Map(props.points.map((point) => [point.at, point]))
  return {
    animation: false,
    // Times are the merchant's clock times, written as if they were UTC.
    useUTC: true,
    textStyle: text,
    grid: { left: 4, right: 14, top: 14, bottom: 52, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: token('surface'),
      borderColor: token('line'),
      textStyle: { ...text, color: token('ink') },
      extraCssText: 'box-shadow:var(--shadow-pop);border-radius:8px',
      axisPointer: { lineStyle: { color: token('ink-3') } },
      formatter: (hits: { value: [number, number | null] }[]) => {
        const point = byTime.get(hits[0]?.value[0] ?? Number.NaN)
        return point ? tooltipText(props, point) : ''
      },
    },
    ...axes(props, write),
    dataZoom: zooms(props.window),
    series: curves(props),
  }
}

/** A selection applies this long after the last movement. */
const settledMs = 250

/** The drawing of a dense series over time, with the colours of the scheme. */
function TimeCanvas({ height = 320, ...props }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(undefined)
  const onWindow = useRef(props.onWindow)
  onWindow.current = props.onWindow
  const scheme = useComputedColorScheme()
  const { locale } = useFormat()
  useEffect(() => {
    const made = init(box.current, undefined, { renderer: 'svg' })
    chart.current = made
    let timer: ReturnType<typeof setTimeout> | undefined
    made.on('datazoom', () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const [zoom] = made.getOption().dataZoom as { startValue: number; endValue: number }[]
        if (zoom) onWindow.current(zoom.startValue, zoom.endValue)
      }, settledMs)
    })
    const forget = box.current ? followSize(made, box.current) : undefined
    return () => {
      clearTimeout(timer)
      forget?.()
      made.dispose()
    }
  }, [])
  // The tokens behind the colours follow the scheme.
  useEffect(() => {
    // The attribute that changes the tokens is set in the same commit; the new values apply one frame later.
    const frame = requestAnimationFrame(() => {
      const style = { timeZone: 'UTC', hourCycle: 'h23' } as const
      const write = {
        day: new Intl.DateTimeFormat(locale, { ...style, day: 'numeric', month: 'short' }),
        time: new Intl.DateTimeFormat(locale, { ...style, hour: '2-digit', minute: '2-digit' }),
      }
      chart.current?.setOption(optionOf(props as TimeChartProps, write), { notMerge: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [props, scheme, locale])
  return <div ref={box} style={{ height }} />
}

/** A redraw closes the open tooltip, so the same props must not redraw. */
export default memo(TimeCanvas)
