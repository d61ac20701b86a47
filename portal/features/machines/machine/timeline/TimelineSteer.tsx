import { Button, Chip, Flex, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readDay } from '#domain/time/zoned-time.ts'
import { DayInput } from '#portal/ui/form/choices/DayInput.tsx'
import { useToday } from '#portal/ui/time/When.tsx'
import { type TimelineChip, timelineChips } from './timelineKinds.ts'

interface Props {
  timeZone: string
  chips: readonly TimelineChip[]
  /** The day that the timeline begins with; undefined for now. */
  day: string | undefined
  change: (part: { kinds?: TimelineChip[]; day?: string | undefined }) => void
}

/** The kinds and the last day of a timeline. */
export default function TimelineSteer({ timeZone, chips, day, change }: Props) {
  const { t } = useTranslation('machine')
  const today = useToday(timeZone)
  const [typed, setTyped] = useState<string | null>(day ?? null)
  const go = (next: string | null) => {
    setTyped(next)
    const chosen = next === null ? undefined : (readDay(next) ?? undefined)
    if ((next === null || chosen) && chosen !== day) change({ day: chosen })
  }
  return (
    <Flex gap="sm" wrap="wrap" align="center" justify="space-between" mb="sm" className="no-print">
      <Group gap="near" role="group" aria-label={t('timeline.kinds')}>
        <Chip.Group multiple value={[...chips]} onChange={(kinds) => change({ kinds: kinds as TimelineChip[] })}>
          {timelineChips.map((chip) => (
            <Chip key={chip} value={chip} size="xs">
              {t(`timeline.kind.${chip}`)}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
      <Group gap="near" wrap="nowrap">
        <DayInput
          size="xs"
          w={150}
          aria-label={t('timeline.day')}
          placeholder={t('timeline.day')}
          value={typed}
          set={go}
          max={today}
          timeZone={timeZone}
        />
        {day && (
          <Button size="xs" variant="subtle" onClick={() => go(null)}>
            {t('timeline.today')}
          </Button>
        )}
      </Group>
    </Flex>
  )
}
