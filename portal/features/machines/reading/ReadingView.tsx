import { ActionIcon, Box, Flex, Group, Stack, Text } from '@mantine/core'
import {
  IconChartLine,
  IconChevronLeft,
  IconChevronRight,
  IconTable,
  IconZoomIn,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ReadingSeries, readingDays, readings } from '#contract/machines/reading.ts'
import { type SensorSeries, sensors } from '#contract/machines/sensor.ts'
import { chartPeriod } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat, wireInstant, writeInstant } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { EmptyState, ErrorState } from '#portal/ui/page/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import { PeriodChoice, usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { ReadingTable } from './ReadingTable.tsx'
import {
  gapOf,
  instantAt,
  joined,
  moved,
  type SpanName,
  spans,
  stretchOf,
  stretchOfPeriod,
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

/** Measurements of a machine over time: the whole period at a glance, any part of it in full resolution. */
export function ReadingView({ params, timeZone, kind, sensor, format, bounds }: Props) {
  const { t } = useTranslation(['reading', 'ui'])
  const { language, number } = useFormat()
  const search = useAddressQuery()
  const now = useNow()
  const [part, setPart] = useState<{ of: string; window: [number, number] }>()
  const [isTable, setTable] = useState(false)
  const span = spanNames.find((name) => name === oneOf(search, 'span')) ?? 'week'
  const { value, period, set } = usePeriodSearch(readingDays)
  const chosen = value.join(' ') || span
  const { from, to } = period
    ? stretchOfPeriod(chartPeriod(value[0], period), timeZone)
    : stretchOf(spans[span], now.getTime())
  const ask = (begin: number, end: number) => ({ from: wireInstant(new Date(begin)), to: wireInstant(new Date(end)) })
  const common = { placeholderData: keepPreviousData, staleTime: refreshMs, refetchInterval: refreshMs }
  const sourceOf = (begin: number, end: number): Source => {
    const query = { ...ask(begin, end), points: 400 }
    if (sensor)
      // Cast: queries of different readings have keys of their own; their answers are alike.
      return queryOf(sensors.getSensorHistory, { params, query: { ...query, ...sensor } }) as unknown as Source
    return queryOf(rows[kind === 'temperature' ? kind : 'signal'], { params, query })
  }
  const answer = useQuery({ ...sourceOf(from, to), ...common })

  const whole = useMemo(() => ({ from: wallOf(from, timeZone), to: wallOf(to, timeZone) }), [from, to, timeZone])
  const window = useMemo(
    () => (part?.of === chosen ? part.window : ([whole.from, whole.to] as [number, number])),
    [part, chosen, whole],
  )
  const isPart = window[1] - window[0] < (whole.to - whole.from) * finerFrom
  const [fineFrom, fineTo] = window.map((wall) => instantAt(wall, timeZone)) as [number, number]
  const fine = useQuery({
    ...sourceOf(fineFrom, Math.max(fineTo, fineFrom + 60_000)),
    ...common,
    enabled: isPart,
  })
  const series: Series | undefined = answer.data
  const { points, step } = useMemo(
    () => (series ? joined(series, isPart ? fine.data : undefined) : { points: [], step: 0 }),
    [series, fine.data, isPart],
  )
  const formatTime = useMemo(
    () => (wall: number) => writeInstant(new Date(wall), 'minute', language, 'UTC'),
    [language],
  )
  const limits = useMemo(
    () =>
      (['minimum', 'maximum', 'warning', 'critical'] as const).flatMap((name) => {
        const value = series?.[name]
        return value === null || value === undefined
          ? []
          : [
              {
                name: t(`reading:${name}`, { value: format(value) }),
                value,
                ...(name === 'warning' && { color: 'warn' }),
              },
            ]
      }),
    [series, t, format],
  )
  const look = useCallback((next: [number, number]) => setPart({ of: chosen, window: next }), [chosen])
  const onWindow = useCallback(
    (begin: number, end: number) => look([Math.max(whole.from, begin), Math.min(whole.to, end)]),
    [look, whole],
  )
  const names = useMemo(() => ({ avg: t('reading:mean'), range: t('reading:range') }), [t])

  if (answer.error && !series) return <ErrorState error={answer.error} retry={answer.refetch} />
  const summary = summaryOf(points, window, step)
  const isWhole = window[0] === whole.from && window[1] === whole.to
  const steer = [
    ['earlier', IconChevronLeft],
    ['out', IconZoomOut],
    ['in', IconZoomIn],
    ['later', IconChevronRight],
  ] as const
  const title = t(`reading:${kind}.title`)
  return (
    <Stack gap="part">
      <Group gap="xs" justify="space-between">
        <Group gap="xs" miw={0}>
          <Segments
            name={t('reading:span.name')}
            value={value.length > 0 ? '' : span}
            choose={(next) => {
              setPart(undefined)
              set([], { span: next })
            }}
            options={spanNames.map((name) => ({ value: name as string, label: t(`reading:span.${name}`) }))}
          />
          <PeriodChoice
            value={value}
            limits={readingDays}
            choose={(next) => {
              setPart(undefined)
              set(next, { span: undefined })
            }}
          />
        </Group>
        <Flex component="fieldset" gap="snug">
          <legend className="unseen">{t('reading:part')}</legend>
          {steer.map(([how, Icon]) => (
            <ActionIcon
              key={how}
              variant="default"
              size={30}
              aria-label={t(`reading:steer.${how}`)}
              title={t(`reading:steer.${how}`)}
              disabled={how !== 'in' && isWhole}
              onClick={() => look(moved(window, how, whole))}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('reading:steer.whole')}
            title={t('reading:steer.whole')}
            disabled={isWhole}
            onClick={() => setPart(undefined)}
          >
            <IconZoomReset size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={30}
            aria-pressed={isTable}
            aria-label={t(isTable ? 'ui:chart.chart' : 'ui:chart.table')}
            title={t(isTable ? 'ui:chart.chart' : 'ui:chart.table')}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? <IconChartLine size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
          </ActionIcon>
        </Flex>
      </Group>
      <StatCards>
        <StatCard label={t('reading:mean')} value={summary ? format(summary.avg) : t('reading:none')} />
        <StatCard label={t('reading:lowest')} value={summary ? format(summary.min) : t('reading:none')} />
        <StatCard label={t('reading:highest')} value={summary ? format(summary.max) : t('reading:none')} />
      </StatCards>
      <Card
        title={title}
        note={t('reading:shown', { from: formatTime(window[0]), to: formatTime(window[1]), zone: timeZone })}
      >
        {!series ? (
          <Box bdrs="md" bg="var(--sunken)" opacity={0.6} style={{ height }} aria-busy="true" />
        ) : points.length === 0 ? (
          <EmptyState title={t('reading:empty.title')} text={t(`reading:${kind}.empty`)} />
        ) : isTable ? (
          <ReadingTable points={summary?.shown ?? []} label={title} format={format} formatTime={formatTime} />
        ) : (
          <Part fallback={<Box bdrs="md" bg="var(--sunken)" opacity={0.6} style={{ height }} />}>
            <div
              role="img"
              aria-label={t('reading:label', {
                title,
                from: formatTime(window[0]),
                to: formatTime(window[1]),
                min: summary ? format(summary.min) : t('reading:none'),
                max: summary ? format(summary.max) : t('reading:none'),
                avg: summary ? format(summary.avg) : t('reading:none'),
              })}
              style={{ height }}
            >
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
        {series && points.length > 0 && (
          <Text mt="near" c="dimmed" fz="xs">
            {t('reading:steps', {
              count: Math.round((isPart && fine.data ? fine.data.stepSeconds : series.stepSeconds) / 60),
              number: number(Math.round((isPart && fine.data ? fine.data.stepSeconds : series.stepSeconds) / 60)),
            })}
          </Text>
        )}
      </Card>
    </Stack>
  )
}
