import { Box, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PlannedRound, WeekPlan } from '#contract/stock/week-plan.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { placeOfRound } from '../round/placeOfRound.ts'
import { roundLooks } from '../round/roundLooks.ts'
import { ProposedRound } from './ProposedRound.tsx'
import { shortDay } from './shortDay.ts'
import type { ChosenStops } from './useChosenStops.ts'
import classes from './Week.module.css'

interface Props {
  day: string
  plan: WeekPlan
  /** Undefined: the user may not create rounds. */
  chosen: ChosenStops | undefined
}

/** Many stops are shown by their rounds first. */
const mostOpen = 80

/** A day with its planned and proposed rounds. */
export function DayColumn({ day, plan, chosen }: Props) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  const planned = plan.planned.filter((round) => round.day === day)
  const proposed = plan.rounds.filter((round) => round.day === day)
  return (
    <Box component="section" miw={0} aria-label={format.day(day, 'weekday')}>
      <Text component="h2" fz="sm" fw={650} mb="snug">
        {shortDay(day, format.locale, 'short')}
      </Text>
      <Stack gap="near">
        {planned.map((round) => (
          <Planned key={round.id} round={round} />
        ))}
        {proposed.map((round) => (
          <ProposedRound
            key={round.routeId}
            round={round}
            currency={plan.currency}
            chosen={chosen}
            isOpen={plan.totals.stops <= mostOpen}
          />
        ))}
        {planned.length + proposed.length === 0 && (
          <Text c="dimmed" fz="fine">
            {t('noStops')}
          </Text>
        )}
      </Stack>
    </Box>
  )
}

/** A round that exists already. */
function Planned({ round }: { round: PlannedRound }) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  return (
    <PlaceLink place={placeOfRound(round)} className={`${classes.planned} breaks`}>
      <strong>{round.name}</strong>
      <Text span c="dimmed" fz="fine">
        {t('stops', { count: round.stops, number: format.number(round.stops) })}
      </Text>
      <StatusBadge of={roundLooks} value={round.status} />
    </PlaceLink>
  )
}
