import { Box, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ReadingSeries, readingDays, readings } from '#contract/machines/reading.ts'
import { type SensorSeries, sensors } from '#contract/machines/sensor.ts'
import { chartPeriod } from '#domain/time/period.ts'
import { queryOf, rowQuery } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat, wireInstant, writeInstant } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { PeriodChoice, usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'
import type { PeriodValue } from '#portal/ui/time/PeriodPanel.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { ReadingSteer } from './ReadingSteer.tsx'
import { ReadingTable } from './ReadingTable.tsx'
import {
  gapOf,
  instantAt,
  joined,
  type SpanName,
  spanBefore,
  spanOfPeriod,
  spans,
  summaryOf,
  wallOf,
} from './readingWindow.ts'

const TimeCanvas = lazyPart(() => import('#portal/ui/chart/TimeCanvas.tsx'))

interface Props {
  params: { merchantId: string; posId: string }
  timeZone: string
  kind: 'signal' | 'temperature' | 'sensor'
  /** Of kind sensor. */
  sensor?: { submodule: string; name: string }
  format: (value: number) => string
  /** Bounds of the axis; by default those of the shown values. */
  bounds?: { low: number; high: number }
}

/** A sensor's series also has thresholds. */
type Series = ReadingSeries & Partial<Pick<SensorSeries, 'warning' | 'critical'>>

type Source = ReturnType<typeof queryOf<typeof readings.getSignalHistory>>

const rows = { signal: readings.getSignalHistory, temperature: readings.getTemperatureHistory } as const
const spanNames = Object.keys(spans) as SpanName[]
const refreshMs = 5 * 60_000
/** A part shorter than this share of the whole is fetched separately, in finer steps. */
const finerFrom = 0.7
const height = 320

/** The series of a stretch of time, in as many points as a chart can show. */
function sourceOf(
  { params, kind, sensor }: Pick<Props, 'params' | 'kind' | 'sensor'>,
  from: number,
  to: number,
): Source {
  const query = { from: wireInstant(new Date(from)), to: wireInstant(new Date(to)), points: 400 }
  // The answers of all readings are alike.
  if (sensor) return rowQuery(sensors.getSensorHistory, { params, query: { ...query, ...sensor } }) as Source
  return queryOf(rows[kind === 'temperature' ? kind : 'signal'], { params, query })
}

/** The thresholds that the chart draws. */
function useLimits(series: Series | undefined, format: (value: number) => string) {
  const { t } = useTranslation('reading')
  return useMemo(
    () =>
      (['minimum', 'maximum', 'warning', 'critical'] as const).flatMap((name) => {
        const value = series?.[name]
        if (value === null || value === undefined) return []
        return [{ name: t(name, { value: format(value) }), value, ...(name === 'warning' && { color: 'warn' }) }]
      }),
    [series, t, format],
  )
}

/** Mean, lowest and highest value of the shown part. */
function Summary({ of, format }: { of: ReturnType<typeof summaryOf>; format: (value: number) => string }) {
  const { t } = useTranslation('reading')
  return (
    <StatCards>
      <StatCard label={t('mean')} value={of ? format(of.avg) : t('none')} />
      <StatCard label={t('lowest')} value={of ? format(of.min) : t('none')} />
      <StatCard label={t('highest')} value={of ? format(of.max) : t('none')} />
    </StatCards>
  )
}

/** The period of the address, its measurements, and the part of it in view, in full resolution. */
function useMeasurements({ params, timeZone, kind, sensor }: Pick<Props, 'params' | 'timeZone' | 'kind' | 'sensor'>) {
  const search = useAddressQuery()
  const now = useNow()
  const [part, setPart] = useState<{ of: string; window: [number, number] }>()
  const span = spanNames.find((name) => name === oneOf(search, 'span')) ?? 'week'
  const { value, period, set } = usePeriodSearch(readingDays)
  const periodKey = value.join(' ') || span
  const { from, to } = period
    ? spanOfPeriod(chartPeriod(value[0], period), timeZone)
    : spanBefore(spans[span], now.getTime())
  const common = { placeholderData: keepPreviousData, staleTime: refreshMs, refetchInterval: refreshMs }
  const answer = useQuery({ ...sourceOf({ params, kind, sensor }, from, to), ...common })

  const whole = useMemo(() => ({ from: wallOf(from, timeZone), to: wallOf(to, timeZone) }), [from, to, timeZone])
  const window = useMemo(
    () => (part?.of === periodKey ? part.window : ([whole.from, whole.to] as [number, number])),
    [part, periodKey, whole],
  )
  const isPart = window[1] - window[0] < (whole.to - whole.from) * finerFrom
  const [fineFrom, fineTo] = window.map((wall) => instantAt(wall, timeZone)) as [number, number]
  const fine = useQuery({
    ...sourceOf({ params, kind, sensor }, fineFrom, Math.max(fineTo, fineFrom + 60_000)),
    ...common,
    enabled: isPart,
  })
  const series: Series | undefined = answer.data
  const { points, step } = useMemo(
    () => (series ? joined(series, isPart ? fine.data : undefined) : { points: [], step: 0 }),
    [series, fine.data, isPart],
  )
  const look = useCallback((next: [number, number]) => setPart({ of: periodKey, window: next }), [periodKey])
  return {
    span,
    value,
    whole,
    window,
    series,
    points,
    step,
    stepMinutes: series && Math.round(((isPart && fine.data) || series).stepSeconds / 60),
    error: answer.error,
    retry: answer.refetch,
    look,
    showWhole: () => setPart(undefined),
    chooseSpan: (next: SpanName) => {
      setPart(undefined)
      set([], { span: next })
    },
    choosePeriod: (next: PeriodValue) => {
      setPart(undefined)
      set(next, { span: undefined })
    },
  }
}

/** Measurements of a machine over time: the whole period at a glance, any part of it in full resolution. */
export function ReadingView({ params, timeZone, kind, sensor, format, bounds }: Props) {
  const { t } = useTranslation(['reading', 'ui'])
  const { language, number } = useFormat()
  const [isTable, setTable] = useState(false)
  const measurements = useMeasurements({ params, timeZone, kind, sensor })
  const { span, value, whole, window, series, points, step, stepMinutes, look, showWhole } = measurements
  const formatTime = useMemo(
    () => (wall: number) => writeInstant(new Date(wall), 'minute', language, 'UTC'),
    [language],
  )
  const limits = useLimits(series, format)
  const onWindow = useCallback(
    (begin: number, end: number) => look([Math.max(whole.from, begin), Math.min(whole.to, end)]),
    [look, whole],
  )
  const names = useMemo(() => ({ avg: t('reading:mean'), range: t('reading:range') }), [t])

  if (measurements.error && !series) return <ErrorState error={measurements.error} retry={measurements.retry} />
  const summary = summaryOf(points, window, step)
  const title = t(`reading:${kind}.title`)
  const visibleSpan = { from: formatTime(window[0]), to: formatTime(window[1]) }
  const write = (value: number | undefined) => (value === undefined ? t('reading:none') : format(value))
  const label = t('reading:label', {
    title,
    ...visibleSpan,
    min: write(summary?.min),
    max: write(summary?.max),
    avg: write(summary?.avg),
  })
  return (
    <Stack gap="part">
      <Group gap="xs" justify="space-between">
        <Group gap="xs" miw={0}>
          <Segments
            name={t('reading:span.name')}
            value={value.length > 0 ? '' : span}
            choose={(next) => measurements.chooseSpan(next as SpanName)}
            options={spanNames.map((name) => ({ value: name as string, label: t(`reading:span.${name}`) }))}
          />
          <PeriodChoice value={value} limits={readingDays} choose={measurements.choosePeriod} />
        </Group>
        <ReadingSteer
          window={window}
          whole={whole}
          look={look}
          showWhole={showWhole}
          isTable={isTable}
          setTable={setTable}
        />
      </Group>
      <Summary of={summary} format={format} />
      <Card title={title} note={t('reading:shown', { ...visibleSpan, zone: timeZone })}>
        {!series ? (
          <Box bdrs="md" bg="var(--sunken)" opacity={0.6} style={{ height }} aria-busy="true" />
        ) : points.length === 0 ? (
          <EmptyState title={t('reading:empty.title')} text={t(`reading:${kind}.empty`)} />
        ) : isTable ? (
          <ReadingTable points={summary?.points ?? []} label={title} format={format} formatTime={formatTime} />
        ) : (
          <Part fallback={<Box bdrs="md" bg="var(--sunken)" opacity={0.6} style={{ height }} />}>
            <div role="img" aria-label={label} style={{ height }}>
              <TimeCanvas
                label={title}
                points={points}
                gap={gapOf(points, step)}
                {...whole}
                window={window}
                onWindow={onWindow}
                limits={limits}
                names={names}
                format={format}
                formatTime={formatTime}
                low={bounds?.low}
                high={bounds?.high}
                height={height}
              />
            </div>
          </Part>
        )}
        {stepMinutes !== undefined && points.length > 0 && (
          <Text mt="near" c="dimmed" fz="xs">
            {t('reading:steps', { count: stepMinutes, number: number(stepMinutes) })}
          </Text>
        )}
      </Card>
    </Stack>
  )
}
