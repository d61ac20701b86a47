import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import {
  IconCheck,
  IconExternalLink,
  IconFlagCheck,
  IconMapPin,
  IconPhone,
  IconRotate,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Round, type RoundStop, rounds } from '#contract/stock/round.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isDue } from '#domain/stock/round.ts'
import { dayIn } from '#domain/time/period.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AsOf } from '../offline/AsOf.tsx'
import { outbox } from '../outbox/outbox.ts'
import { Reasons } from './Reasons.tsx'
import classes from './Round.module.css'
import { type MapStop, RouteMap } from './RouteMap.tsx'
import { reasonTones, stopLooks } from './roundLooks.ts'
import { SkipDialog } from './SkipDialog.tsx'
import { useFinish } from './useFinish.tsx'
import { useRound } from './useRound.ts'

const toneOf = ({ status, reasons }: RoundStop): MapStop['tone'] => {
  if (status !== 'open') return status === 'done' ? 'ok' : 'mute'
  const tone = reasons[0] ? reasonTones[reasons[0].kind] : 'warn'
  return tone === 'crit' ? 'crit' : 'warn'
}

/** An address that phones open in their map. */
const mapOf = ({ latitude, longitude, address }: RoundStop) =>
  latitude !== null && longitude !== null
    ? `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
    : address
      ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
      : undefined

/** The stops of a round, live. */
export default function StopsTab() {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { answer, here } = useRound()
  const [skipping, setSkipping] = useState<RoundStop>()
  if (!here) return null
  const { round, keptStopIds } = here
  const isOpen = round.status === 'planned' || round.status === 'underway'
  const mayVisit = isOpen && isDue(round, dayIn(new Date(), round.timeZone))
  const next = isOpen ? round.stopList.find(({ status }) => status === 'open') : undefined
  const cash = round.stopList.reduce((sum, { cashInBox }) => sum + (cashInBox ?? 0), 0)
  const loaded = round.stopList.reduce((sum, { visit }) => sum + (visit?.loaded ?? 0), 0)
  if (round.stopList.length === 0) return <EmptyState title={t('noStops')} text={t('noStopsText')} />
  return (
    <Stack gap="part" mt="part" className={classes.plan}>
      <AsOf query={answer} />
      {next && <NextStop stop={next} round={round} mayVisit={mayVisit} skip={() => setSkipping(next)} />}
      {!next && round.status === 'underway' && <AllDone round={round} />}
      <StatCards>
        <StatCard
          label={t('column.stops')}
          value={t('doneOf', {
            count: round.stops,
            done: format.number(round.stopsDone),
            all: format.number(round.stops),
          })}
          note={t('skippedNote', { count: round.stopsSkipped, number: format.number(round.stopsSkipped) })}
        />
        <StatCard
          label={t('column.pieces')}
          value={format.number(round.pieces)}
          note={t('loadedNote', { number: format.number(loaded) })}
        />
        <StatCard label={t('plan.cash')} value={<Amount minor={cash} currency={round.currency} />} />
      </StatCards>
      {round.note && <p className={classes.note}>{round.note}</p>}
      <div className={classes.two50}>
        <Card title={t('plan.order')} isFlush>
          <ol className={classes.rows}>
            {round.stopList.map((stop, at) => (
              <StopRow
                key={stop.id}
                stop={stop}
                number={at + 1}
                round={round}
                isNext={stop.id === next?.id}
                isKept={keptStopIds.has(stop.id)}
                skip={() => setSkipping(stop)}
              />
            ))}
          </ol>
        </Card>
        <Card title={t('map.title')} isFlush className="no-print">
          <RouteMap
            height={420}
            stops={round.stopList.map((stop, at) => ({ ...stop, number: at + 1, tone: toneOf(stop) }))}
          />
        </Card>
      </div>
      {skipping && <SkipDialog round={round} stop={skipping} close={() => setSkipping(undefined)} />}
    </Stack>
  )
}

interface NextProps {
  stop: RoundStop
  round: Round
  /** False before the day of a round that is not started. */
  mayVisit: boolean
  skip: () => void
}

/** The next stop with everything that a driver needs: where, who, and the visit. */
function NextStop({ stop, round, mayVisit, skip }: NextProps) {
  const { t } = useTranslation('round')
  const map = mapOf(stop)
  const number = round.stopList.findIndex(({ id }) => id === stop.id) + 1
  return (
    <section className={`${classes.next} no-print`} aria-label={t('next.title')}>
      <Stack gap={5} miw={0}>
        <Text span c="dimmed" fz="fine">
          {t('next.number', { number, all: round.stopList.length })}
        </Text>
        <Box component="h2" fz={18}>
          {stop.posName}
        </Box>
        <span>{[stop.clientName, stop.address].filter(Boolean).join(' · ') || stop.posSerial}</span>
        <Reasons reasons={stop.reasons} />
      </Stack>
      <Flex gap="near" wrap="wrap" className={classes.nextActs}>
        {mayVisit && (
          <Button<typeof PlaceLink>
            component={PlaceLink}
            place={{ to: '/devices/$posId/visit', params: { posId: stop.posId } }}
            size="md"
            leftSection={<IconCheck size={17} aria-hidden />}
          >
            {t('next.visit')}
          </Button>
        )}
        {map && (
          <Button
            component="a"
            href={map}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="md"
            leftSection={<IconMapPin size={17} aria-hidden />}
          >
            {t('next.map')}
          </Button>
        )}
        {stop.clientPhone && (
          <Button
            component="a"
            href={`tel:${stop.clientPhone.replaceAll(/[^+\d]/g, '')}`}
            variant="default"
            size="md"
            leftSection={<IconPhone size={17} aria-hidden />}
          >
            {t('next.call')}
          </Button>
        )}
        <Button variant="default" size="md" leftSection={<IconX size={17} aria-hidden />} onClick={skip}>
          {t('skip.do')}
        </Button>
      </Flex>
    </section>
  )
}

/** After the last stop: the end of the round. */
function AllDone({ round }: { round: Round }) {
  const { t } = useTranslation('round')
  const { finish, isPending, dialog } = useFinish(round)
  return (
    <section className={`${classes.next} no-print`} aria-label={t('next.all')}>
      <Box component="h2" fz={18}>
        {t('next.all')}
      </Box>
      <Flex gap="near" wrap="wrap" className={classes.nextActs}>
        <Button size="md" leftSection={<IconFlagCheck size={17} aria-hidden />} loading={isPending} onClick={finish}>
          {t('finish.do')}
        </Button>
      </Flex>
      {dialog}
    </section>
  )
}

interface RowProps {
  stop: RoundStop
  number: number
  round: Round
  isNext: boolean
  /** Visited or skipped, but that is only on this phone. */
  isKept: boolean
  skip: () => void
}

function StopRow({ stop, number, round, isNext, isKept, skip }: RowProps) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const { merchantId, id: roundId, status, currency } = round
  const reopen = useCommand(rounds.reopenStop)
  const isOpen = status === 'planned' || status === 'underway'
  return (
    <li className={classes.stop} data-next={isNext || undefined}>
      <Stack
        component="span"
        gap={0}
        align="center"
        justify="center"
        flex="none"
        w={26}
        h={26}
        fz="fine"
        fw={660}
        className={classes.number}
        data-tone={stop.status}
      >
        {number}
      </Stack>
      <Stack component="span" gap={3} flex="1" miw={0} className={`${classes.two} breaks`}>
        <PlaceLink place={{ to: '/devices/$posId', params: { posId: stop.posId } }} className={classes.name ?? ''}>
          {stop.posName}
        </PlaceLink>
        <Text span c="dimmed" fz="fine">
          {[stop.clientName, stop.address].filter(Boolean).join(' · ') || stop.posSerial}
        </Text>
        {stop.status === 'open' && <Reasons reasons={stop.reasons} />}
        {stop.status === 'skipped' && stop.skipReason && (
          <span className={classes.why}>
            {[t(`skip.reason.${stop.skipReason}`), stop.skipNote].filter(Boolean).join(' · ')}
          </span>
        )}
        <Done stop={stop} currency={currency} />
      </Stack>
      <Stack component="span" gap={3} align="flex-end" flex="none">
        {isKept ? (
          <Badge tone="warn" mark="clock">
            {t('stop.kept')}
          </Badge>
        ) : (
          <StatusBadge of={stopLooks} value={stop.status} />
        )}
        {stop.closedAt && (
          <Text span c="dimmed" fz="fine">
            <When at={stop.closedAt} timeZone={round.timeZone} />
          </Text>
        )}
        {stop.status === 'open' && (
          <Text span c="dimmed" fz="fine">
            {t('piecesOf', { count: stop.pieces, number: format.number(stop.pieces) })}
          </Text>
        )}
      </Stack>
      <span className={`${classes.acts} no-print`}>
        {isOpen && stop.status === 'open' && (
          <Button variant="subtle" size="compact-xs" onClick={skip}>
            {t('skip.do')}
          </Button>
        )}
        {isOpen && stop.status === 'skipped' && stop.skipReason !== 'machineRemoved' && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRotate size={13} aria-hidden />}
            loading={reopen.isPending}
            onClick={() =>
              isKept
                ? void outbox.remove(`skip ${stop.id}`)
                : reopen.mutate({ params: { merchantId, roundId, stopId: stop.id } })
            }
          >
            {t('skip.reopen')}
          </Button>
        )}
        {status === 'underway' && stop.status === 'open' && (
          <Button<typeof PlaceLink>
            component={PlaceLink}
            variant="subtle"
            size="compact-xs"
            place={{ to: '/devices/$posId/visit', params: { posId: stop.posId } }}
            leftSection={<IconExternalLink size={13} aria-hidden />}
          >
            {t('next.visit')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** What was done at a stop, and by whom. */
function Done({ stop: { closedBy, closedByName, visit } }: { stop: RoundStop; currency: Currency }) {
  const { t } = useTranslation('round')
  const format = useFormat()
  if (closedBy === 'machine')
    return (
      <Text span c="dimmed" fz="fine">
        {t('closedBy.machine')}
      </Text>
    )
  if (!visit) return null
  const facts = [
    closedByName,
    t('loadedNote', { number: format.number(visit.loaded) }),
    visit.waste > 0 && t('wasteNote', { number: format.number(visit.waste) }),
    visit.cashTaken && (visit.bagNumber ? t('bagNote', { number: visit.bagNumber }) : t('cashNote')),
  ]
  return (
    <>
      <Text span c="dimmed" fz="fine">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {visit.note && <span className={classes.why}>{visit.note}</span>}
    </>
  )
}
