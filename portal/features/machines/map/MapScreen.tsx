import { Box, Button, Flex, Text } from '@mantine/core'
import { useViewportSize } from '@mantine/hooks'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import { type RoundRoute, roundRoutes } from '#contract/stock/round-route.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature, useOfferedFilters } from '#portal/app/feature.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { FilterBar } from '#portal/ui/list/filters/FilterBar.tsx'
import { filtersOf } from '#portal/ui/list/state/listState.ts'
import { useListState } from '#portal/ui/list/state/useListState.ts'
import type { MapRoute } from '#portal/ui/map/mapProps.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { useToday } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { MachinesMap } from '../machine/MachinesMap.tsx'
import { useMachineFilters } from '../machine/useMachineFilters.ts'

/** In pixels: what the page has above and below the map, and the least that a map needs. */
const restHeight = 236
const leastHeight = 360

/** Colours of routes, in turn. */
const tones = ['info', 'gold', 'ink-2', 'ok', 'crit'] as const
const toneOf = (at: number) => tones[at % tones.length] ?? 'info'

const isDrawn = ({ stops }: RoundRoute) => stops.length > 0

/** Today's rounds, where the merchant has rounds and the user may read them. */
function useRoutesOfToday(isShown: boolean) {
  const merchant = useMerchant()
  const isAble = [useFeature('productStock'), useMay({ needs: 'round.read' })].every(Boolean)
  const day = useToday(merchant.timeZone)
  const { data } = useQuery({
    ...queryOf(roundRoutes.listRoundRoutes, { params: { merchantId: merchant.id }, query: { day } }),
    enabled: isAble && isShown,
  })
  const rounds = useMemo(() => (isShown ? data?.filter(isDrawn) : undefined), [data, isShown])
  const routes = useMemo(
    () =>
      rounds?.map(
        ({ id, stops }, at): MapRoute => ({
          id,
          tone: toneOf(at),
          stops: stops.map(({ posName, ...stop }) => ({ ...stop, name: posName })),
        }),
      ),
    [rounds],
  )
  return { isAble, rounds, routes }
}

/** The filters of the list of machines, kept in the address as there. */
function useMapFilters() {
  const { timeZone } = useMerchant()
  const filters = useOfferedFilters(machines.mapMachines, useMachineFilters())
  const rules = useMemo(() => ({ ords: [], filters }), [filters])
  const { state, query, change } = useListState(rules, timeZone)
  return { filters, values: state.filters, filter: useMemo(() => filtersOf(query), [query]), change }
}

/** The machines on a map as tall as the window, all or filtered, with the routes of today's rounds. */
export default function MapScreen() {
  const { t } = useTranslation('machines-map')
  const go = useGo()
  const { height } = useViewportSize()
  const isShown = oneOf(useAddressQuery(), 'rounds') !== 'off'
  const { isAble, rounds, routes } = useRoutesOfToday(isShown)
  const { filters, values, filter, change } = useMapFilters()
  const turn = () => void go({ here: { rounds: isShown ? 'off' : undefined } }, { replace: true, resetScroll: false })
  return (
    <>
      <ScreenHeader
        title={t('title')}
        actions={
          isAble && (
            <Button
              variant={isShown ? 'light' : 'default'}
              aria-pressed={isShown}
              leftSection={<IconRoute size={15} aria-hidden />}
              onClick={turn}
            >
              {t('rounds')}
            </Button>
          )
        }
      />
      <Box mb="near">
        <FilterBar
          filters={filters}
          values={values}
          set={(key, some) => change({ filters: { ...values, [key]: some } })}
          clear={() => change({ filters: {} })}
        />
      </Box>
      {rounds && <Legend rounds={rounds} />}
      <MachinesMap height={Math.max(leastHeight, height - restHeight)} filter={filter} {...(routes && { routes })} />
    </>
  )
}

/** The rounds of the map, each with its colour and a link. */
function Legend({ rounds }: { rounds: readonly RoundRoute[] }) {
  const { t } = useTranslation('machines-map')
  const format = useFormat()
  if (rounds.length === 0)
    return (
      <Text c="dimmed" mb="near">
        {t('noRounds')}
      </Text>
    )
  return (
    <Flex component="ul" rowGap="hair" columnGap="md" wrap="wrap" mb="near">
      {rounds.map(({ id, name, assigneeName, stops }, at) => (
        <li key={id}>
          <Text span display="inline-block" w={14} h={4} mr="tight" bdrs={2} bg={`var(--${toneOf(at)})`} aria-hidden />{' '}
          <PlaceLink place={{ to: '/devices/rounds/$roundId', params: { roundId: id } }}>{name}</PlaceLink>{' '}
          <Text span c="dimmed">
            {[assigneeName, t('stops', { count: stops.length, number: format.number(stops.length) })]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </li>
      ))}
    </Flex>
  )
}
