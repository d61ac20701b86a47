import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wireInstant } from '#portal/app/i18n/format.ts'
import { timelineLooks } from '#portal/ui/value/looks.ts'
import { Timeline } from '#portal/ui/value/Timeline.tsx'
import { Part } from './Part.tsx'

/** Events of every kind, loading events, and none. */
export function TimelineSection() {
  const { t } = useTranslation(['kit', 'vocabulary'])
  const [now] = useState(Date.now)
  const items = Object.entries(timelineLooks).map(([kind, { tone, word }], index) => ({
    id: kind,
    at: wireInstant(new Date(now - index * 5_400_000)),
    tone,
    title: t(word),
    note: index === 0 ? t('kit:fact.long') : undefined,
  }))
  return (
    <SimpleGrid minColWidth="min(100%, 320px)" autoFlow="auto-fit" spacing="wide">
      <Part caption={t('kit:timeline.full')}>
        <Timeline items={items} more={() => undefined} />
      </Part>
      <Part caption={t('kit:timeline.loading')}>
        <Timeline items={items.slice(0, 1)} more={() => undefined} isLoading />
      </Part>
      <Part caption={t('kit:timeline.none')}>
        <Timeline items={[]} />
      </Part>
    </SimpleGrid>
  )
}
