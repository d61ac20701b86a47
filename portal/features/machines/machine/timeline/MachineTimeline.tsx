import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Machine, machines, type TimelineEntry } from '#contract/machines/machine.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays } from '#domain/time/period.ts'
import { readDay } from '#domain/time/zoned-time.ts'
import { call, keyOf, metaOf, queryOf } from '#portal/app/api.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { instantOf, useFormat, wireInstant } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf, oneOf } from '#portal/app/search.ts'
import type { Tone } from '#portal/app/theme/theme.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import {
  alarmCriticityLooks,
  commandResultLooks,
  commandStatusLooks,
  crcLooks,
  timelineLooks,
} from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Timeline, type TimelineItem } from '#portal/ui/value/Timeline.tsx'
import { chipsIn, kindsOf } from './timelineKinds.ts'

const size = 15

/** The next instant, so that events of the same millisecond are fetched again and not lost. */
const after = (at: string) => wireInstant(new Date((instantOf(at) as Date).getTime() + 1))

const TimelineSteer = lazyPart(() => import('./TimelineSteer.tsx'), ['form'])

/** A machine's history, newest first: alarms, commands, audits, starts and notes. */
export function MachineTimeline({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const merchant = useMerchant()
  const params = { merchantId: merchant.id, posId: machine.id }
  const search = useAddressQuery()
  const go = useGo()
  const chips = chipsIn(manyOf(search, 'kinds'))
  const day = readDay(oneOf(search, 'day') ?? '') ?? undefined
  const kinds = kindsOf(chips)
  // The day is shown as a whole, whatever happened later.
  const end = day && wireInstant(new Date(startOfLocalDay(addDays(day, 1), machine.timeZone)))
  const query = { size, ...(kinds.length > 0 && { kinds }) }
  const answer = useInfiniteQuery({
    queryKey: keyOf(machines.getTimeline, { params, query: { ...query, before: end } }),
    meta: metaOf(machines.getTimeline),
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      call(machines.getTimeline, { params, query: { ...query, before: pageParam ?? end } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return page.length < size || !last ? undefined : after(last.at)
    },
  })
  const entries = useMemo(() => {
    const byId = new Map(answer.data?.pages.flat().map((entry) => [`${entry.kind}.${entry.id}`, entry]))
    return [...byId.values()]
  }, [answer.data])
  const itemOf = useTimelineItem(machine)
  return (
    <Card title={t('timeline.title')}>
      <Part fallback={<div style={{ minHeight: 30 }} />}>
        <TimelineSteer
          timeZone={machine.timeZone}
          chips={chips}
          day={day}
          change={(part) => void go({ here: part }, { replace: true, resetScroll: false })}
        />
      </Part>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : answer.isPending ? (
        <div style={{ minHeight: 300 }} aria-busy="true" />
      ) : (
        <Timeline
          items={entries.map(itemOf)}
          timeZone={machine.timeZone}
          none={chips.length > 0 || day ? t('timeline.none') : undefined}
          more={answer.hasNextPage ? () => void answer.fetchNextPage() : undefined}
          isLoading={answer.isFetchingNextPage}
        />
      )}
    </Card>
  )
}

const lastSize = 5

/** The last five events of a machine. */
export function LastEvents({ machine }: { machine: Machine }) {
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const { data, error, refetch } = useQuery(queryOf(machines.getTimeline, { params, query: { size: lastSize } }))
  const itemOf = useTimelineItem(machine)
  if (error && !data) return <ErrorState isSmall error={error} retry={refetch} />
  if (!data) return <div style={{ minHeight: 120 }} aria-busy="true" />
  return <Timeline items={data.map(itemOf)} timeZone={machine.timeZone} />
}

const entryOf = <T extends Record<string | number, unknown>>(table: T, key: string | null): T[keyof T] | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key as keyof T] : undefined

/** A machine reports the end of an alarm itself; otherwise a user repaired it, whose name may be hidden from the reader. */
const isByItself = ({ kind, status }: TimelineEntry) => kind === 'repair' && status === 'repaired'

function useTimelineItem({ id: posId, timeZone }: Machine) {
  const format = useFormat()
  const { t } = useTranslation(['machine', 'vocabulary'])
  const alarmName = useAlarmName()
  return (entry: TimelineEntry): TimelineItem => {
    const { id, kind, at, code, status, criticity, text } = entry
    const by = entry.by ?? (isByItself(entry) ? undefined : t('ui:provider'))
    const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ') || undefined
    const item = (rest: Omit<TimelineItem, 'id' | 'at' | 'tone'> & { tone?: Tone | undefined }) => ({
      id: `${kind}.${id}`,
      at,
      ...rest,
      tone: rest.tone ?? timelineLooks[kind].tone,
    })
    switch (kind) {
      case 'alarm': {
        const looks = entryOf(alarmCriticityLooks, String(criticity))
        const name = alarmName(code ?? '')
        return item({
          tone: looks?.tone,
          title: name,
          note: joined(looks && t(looks.word), code, text !== name ? text : null),
        })
      }
      case 'repair':
        return item({
          title: t('machine:timeline.repaired', { alarm: alarmName(code ?? '') }),
          note: joined(by ? t('machine:timeline.by', { name: by }) : t('machine:timeline.byItself'), text),
        })
      case 'reopen':
        return item({
          title: t('machine:timeline.reopened', { alarm: alarmName(code ?? '') }),
          note: by ? t('machine:timeline.reopenedBy', { name: by }) : undefined,
        })
      case 'command': {
        const type = nameOf(remoteCommandTypes, code)
        const looks = entryOf(commandStatusLooks, status)
        const result = text === '0' ? undefined : entryOf(commandResultLooks, text)
        return item({
          tone: looks?.tone,
          title: joined(type ? t(`vocabulary:commandType.${type}`) : code, looks && t(looks.word)),
          note: joined(result && t(result.word), by && t('machine:timeline.sentBy', { name: by })),
        })
      }
      case 'audit': {
        const looks = entryOf(crcLooks, code)
        const origin = nameOf(auditOrigins, status)
        const isOfDay = entry.day !== null
        const time = format.instant(instantOf(at) as Date, 'time', timeZone)
        const place = { to: '/devices/$posId/audits', params: { posId }, search: { audit: id } }
        return item({
          tone: code === 'fails' ? 'warn' : undefined,
          title: (
            <PlaceLink place={place} className="quiet">
              {isOfDay
                ? t('machine:timeline.scheduled', { count: entry.count, number: format.number(entry.count) })
                : t('machine:timeline.audit')}
            </PlaceLink>
          ),
          note: joined(
            looks && t(looks.word),
            isOfDay ? t('machine:timeline.last', { time }) : origin && t(`vocabulary:auditOrigin.${origin}`),
          ),
        })
      }
      case 'note':
        return item({ title: t('machine:timeline.note', { name: by }), note: text })
      case 'boot':
        return item({
          title: t('machine:timeline.boot'),
          note: text ? t('machine:health.firmware', { version: text }) : undefined,
        })
      case 'association':
        return item({ title: t('machine:timeline.association'), note: text })
    }
  }
}
