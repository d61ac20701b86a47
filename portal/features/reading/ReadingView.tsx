import { ActionIcon } from '@mantine/core'
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
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readings } from '#contract/reading.ts'
import { queryOf } from '../../app/api.ts'
import { useFormat, wireInstant, writeInstant } from '../../app/i18n/format.ts'
import { oneOf, type Search } from '../../app/search.ts'
import { Card, StatCard, StatCards } from '../../ui/Card.tsx'
import { EmptyState, ErrorState } from '../../ui/ErrorState.tsx'
import { lazyPart, Part } from '../../ui/lazyPart.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { useNow } from '../../ui/When.tsx'
import classes from './Reading.module.css'
import { ReadingTable } from './ReadingTable.tsx'
import { gapOf, instantAt, joined, moved, type SpanName, spans, stretchOf, summaryOf, wallOf } from './readingWindow.ts'

const TimeCanvas = lazyPart(() => import('../../ui/TimeCanvas.tsx'))

interface Props {
  params: { merchantId: string; posId: string }
  timeZone: string
  kind: 'signal' | 'temperature'
  format: (value: number) => string
  /** Bounds of the axis; by what is shown when they are not given. */
  bounds?: { low: number; high: number }
}

const rows = { signal: readings.getSignalHistory, temperature: readings.getTemperatureHistory } as const
const spanNames = Object.keys(spans) as SpanName[]
const refreshMs = 5 * 60_000
/** A part at least so much shorter than the whole is asked for by itself, in finer steps. */
const finerFrom = 0.7
const height = 320

/** What a machine measured over time: the whole stretch at a glance, any part of it as fine as it was told. */
export function ReadingView({ params, timeZone, kind, format, bounds }: Props) {
  const { t } = useTranslation(['reading', 'ui'])
  const { language, number } = useFormat()
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const now = useNow()
  const [part, setPart] = useState<{ of: string; window: [number, number] }>()
  const [isTable, setTable] = useState(false)
  const span = spanNames.find((name) => name === oneOf(search, 'span')) ?? 'week'
  const { from, to } = stretchOf(spans[span], now.getTime())
  const ask = (begin: number, end: number) => ({ from: wireInstant(new Date(begin)), to: wireInstant(new Date(end)) })
  const common = { placeholderData: keepPreviousData, staleTime: refreshMs, refetchInterval: refreshMs }
  const answer = useQuery({ ...queryOf(rows[kind], { params, query: { ...ask(from, to), points: 400 } }), ...common })

  const whole = useMemo(() => ({ from: wallOf(from, timeZone), to: wallOf(to, timeZone) }), [from, to, timeZone])
  const window = useMemo(
    () => (part?.of === span ? part.window : ([whole.from, whole.to] as [number, number])),
    [part, span, whole],
  )
  const isPart = window[1] - window[0] < (whole.to - whole.from) * finerFrom
  const [fineFrom, fineTo] = window.map((wall) => instantAt(wall, timeZone)) as [number, number]
  const fine = useQuery({
    ...queryOf(rows[kind], { params, query: { ...ask(fineFrom, Math.max(fineTo, fineFrom + 60_000)), points: 400 } }),
    ...common,
    enabled: isPart,
  })
  const series = answer.data
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
      (['minimum', 'maximum'] as const).flatMap((name) => {
        const value = series?.[name]
        return value === null || value === undefined
          ? []
          : [{ name: t(`reading:${name}`, { value: format(value) }), value }]
      }),
    [series, t, format],
  )
  const look = useCallback((next: [number, number]) => setPart({ of: span, window: next }), [span])
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
    <div className={classes.view}>
      <div className={classes.bar}>
        <Segments
          name={t('reading:span.name')}
          value={span}
          choose={(value) => {
            setPart(undefined)
            void navigate({ to: '.', search: { ...search, span: value }, replace: true, resetScroll: false } as never)
          }}
          options={spanNames.map((value) => ({ value, label: t(`reading:span.${value}`) }))}
        />
        <fieldset className={classes.steer}>
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
        </fieldset>
      </div>
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
          <div className={classes.waiting} style={{ height }} aria-busy="true" />
        ) : points.length === 0 ? (
          <EmptyState title={t('reading:empty.title')} text={t(`reading:${kind}.empty`)} />
        ) : isTable ? (
          <ReadingTable points={summary?.shown ?? []} label={title} format={format} formatTime={formatTime} />
        ) : (
          <Part fallback={<div className={classes.waiting} style={{ height }} />}>
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
          <p className={classes.fine}>
            {t('reading:steps', {
              count: Math.round((isPart && fine.data ? fine.data.stepSeconds : series.stepSeconds) / 60),
              number: number(Math.round((isPart && fine.data ? fine.data.stepSeconds : series.stepSeconds) / 60)),
            })}
          </p>
        )}
      </Card>
    </div>
  )
}
