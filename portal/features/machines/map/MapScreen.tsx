import { Button, Flex, Text } from '@mantine/core'
import { useViewportSize } from '@mantine/hooks'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type RoundRoute, roundRoutes } from '#contract/stock/round-route.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import type { MapRoute } from '#portal/ui/map/mapProps.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { useToday } from '#portal/ui/time/When.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { MachinesMap } from '../machine/MachinesMap.tsx'

/** In pixels: what the page has above and below the map, and the least that a map needs. */
const restHeight = 190
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

/** All machines on a map as tall as the window, with the routes of today's rounds. */
export default function MapScreen() {
  const { t } = useTranslation('machines-map')
  const go = useGo()
  const { height } = useViewportSize()
  const isShown = oneOf(useAddressQuery(), 'rounds') !== 'off'
  const { isAble, rounds, routes } = useRoutesOfToday(isShown)
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
      {rounds && <Legend rounds={rounds} />}
      <MachinesMap height={Math.max(leastHeight, height - restHeight)} {...(routes && { routes })} />
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
