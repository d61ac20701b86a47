import { Box, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCalendarWeek } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type RoundRow, roundColumns, roundOrds, rounds } from '#contract/stock/round.ts'
import { roundStatuses } from '#contract/stock/round-status.ts'
import { queryOf } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSwitchedMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AsOf } from '../offline/AsOf.tsx'
import { placeOfRound } from './placeOfRound.ts'
import classes from './Round.module.css'
import { roundLooks } from './roundLooks.ts'

const order = { ord: 'day', ordType: 'DESC' } as const
const create = { to: '/devices/rounds/create' }

const columns = recordColumns<RoundRow>(roundColumns, roundOrds, ({ t, format }: Say) => ({
  hidden: ['createdAt', 'stopsSkipped', 'routeName'],
  lines: ['assigneeName'],
  aside: 'day',
  statuses: { roundStatus: roundLooks },
  looks: {
    day: { cell: ({ day }) => format.day(day, 'weekday') },
    assigneeName: { cell: ({ assigneeName }) => assigneeName ?? t('round:nobody') },
    stopsDone: {
      cell: ({ stops, stopsDone }) =>
        t('round:doneOf', { count: stops, done: format.number(stopsDone), all: format.number(stops) }),
    },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('round:filter.search') },
  anyOf('statuses', t('round:column.status'), roundStatuses, (status) => t(`round:status.${status}`)),
  { key: 'period', kind: 'period', name: t('round:field.day'), isAhead: true },
]

/** The rounds of the merchant; those of the reader that are still open come first. */
export default function RoundListScreen() {
  const { t } = useTranslation('round')
  return (
    <ListScreen
      id="rounds"
      words="round"
      row={rounds.listRounds}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOfRound}
      exports="rounds"
      actions={<WeekButton />}
      create={useMemo(() => ({ name: t('create'), needs: 'round.write' as const, does: create }), [t])}
    >
      <OwnRounds />
    </ListScreen>
  )
}

/** Opens the proposal of the week's rounds. */
function WeekButton() {
  const { t } = useTranslation('round')
  const go = useGo()
  return (
    <Button
      variant="default"
      leftSection={<IconCalendarWeek size={15} aria-hidden />}
      onClick={() => void go({ to: '/devices/rounds/week' })}
    >
      {t('week')}
    </Button>
  )
}

/** Open rounds given to the reader. */
function OwnRounds() {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { me } = useSession()
  const { id: merchantId } = useSwitchedMerchant()
  const answer = useQuery({
    ...queryOf(rounds.listRounds, {
      params: { merchantId },
      query: {
        assigneeIds: me ? [me.id] : [],
        statuses: ['planned', 'underway'],
        ord: 'day',
        ordType: 'ASC',
        size: 3,
      },
    }),
    enabled: me !== null,
  })
  const { data } = answer
  if (!data || data.items.length === 0) return null
  return (
    <Box component="section" mb="part" aria-label={t('own')}>
      <Box component="h2" mb="snug" fz="head">
        {t('own')}
      </Box>
      <AsOf query={answer} mb="xs" />
      <SimpleGrid component="ul" minColWidth={280} spacing="xs">
        {data.items.map((round) => (
          <li key={round.id}>
            <PlaceLink place={placeOfRound(round)} className={classes.ownRound ?? ''}>
              <Stack component="span" gap={3} flex="1" miw={0} className={`${classes.two} breaks`}>
                <strong>{round.name}</strong>
                <Text span c="dimmed" fz="fine">
                  {format.day(round.day, 'weekday')}
                </Text>
              </Stack>
              <Text span c="dimmed" fz="fine">
                {t('doneOf', {
                  count: round.stops,
                  done: format.number(round.stopsDone),
                  all: format.number(round.stops),
                })}
              </Text>
              <StatusBadge of={roundLooks} value={round.status} />
            </PlaceLink>
          </li>
        ))}
      </SimpleGrid>
    </Box>
  )
}
