import { useTranslation } from 'react-i18next'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { useReading } from '../useReading.ts'
import { LineButton } from './LineButton.tsx'
import { Rows, Section } from './Section.tsx'

type EventEntry = AuditContent['events'][number] | AuditContent['eventCounters'][number]

/** Events in the machine, and how often each occurred. */
export function Events({ content, showLine }: { content: AuditContent; showLine: (line: number) => void }) {
  const { t, count, time } = useReading(content.money)
  const { t: word } = useTranslation(['machine-event', 'vocabulary'])
  const { events, eventCounters } = content
  const name = ({ name: eventName, source, detail }: EventEntry) => {
    const text = eventName ? word(`machine-event:${eventName}`) : word(`vocabulary:alarmSource.${source}`)
    return detail ? `${text} (${detail})` : text
  }
  return (
    <>
      <Section title={t('section.events')} from="EA1" aside={events.length} isEmpty={events.length === 0}>
        <Rows
          caption={t('section.events')}
          heads={[
            { name: t('head.event') },
            { name: t('head.code') },
            { name: t('head.at') },
            { name: t('head.minutes'), align: 'end' },
            { name: t('head.line'), align: 'end' },
          ]}
          rows={events.map((event) => [
            name(event),
            <code key="code">{event.code}</code>,
            time(event.at),
            count(event.minutes),
            <LineButton key="line" line={event.line} show={showLine} />,
          ])}
        />
      </Section>
      <Section
        title={t('section.counters')}
        from="EA2"
        aside={eventCounters.length}
        isEmpty={eventCounters.length === 0}
      >
        <Rows
          caption={t('section.counters')}
          heads={[
            { name: t('head.event') },
            { name: t('head.code') },
            { name: t('head.count'), align: 'end' },
            { name: t('head.countSinceReset'), align: 'end' },
            { name: t('head.remark') },
          ]}
          rows={eventCounters.map((event) => [
            name(event),
            <code key="code">{event.code}</code>,
            count(event.times.sinceInitialisation),
            count(event.times.sinceReset),
            event.isActive ? (
              <Badge key="active" tone="warn" mark="dot">
                {t('eventActive')}
              </Badge>
            ) : (
              ''
            ),
          ])}
        />
      </Section>
    </>
  )
}
