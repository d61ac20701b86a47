import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CashTrail, cashTrails, mostTrailDays } from '#contract/cash/cash-trail.ts'
import { dayIn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { TrailTable } from './TrailTable.tsx'

interface Props {
  merchantId: string
  /** The trail that ends with a collection, or that of a machine since its last one. */
  of: { collectionId: string } | { posId: string }
}

const shownSteps = 20

/** A machine's cash from one collection to the next, and where expected and reported cash parted. */
export default function CashTrailCard({ merchantId, of }: Props) {
  const { t } = useTranslation('cash')
  const ofMachine = useQuery({
    ...queryOf(cashTrails.getCashTrail, { params: { merchantId, posId: 'posId' in of ? of.posId : '' } }),
    enabled: 'posId' in of,
  })
  const ofCollection = useQuery({
    ...queryOf(cashTrails.getCollectionTrail, {
      params: { merchantId, collectionId: 'collectionId' in of ? of.collectionId : '' },
    }),
    enabled: 'collectionId' in of,
  })
  const { data: trail, error, refetch } = 'posId' in of ? ofMachine : ofCollection
  if (error && !trail) return <ErrorState error={error} retry={refetch} />
  if (!trail) return <Box mih={220} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
  return (
    <Card title={t('trail.title')} note={t(trail.collection ? 'trail.toCollection' : 'trail.toNow')}>
      {trail.from === null ? (
        <Text c="dimmed">{t('trail.noCollection')}</Text>
      ) : (
        <Stack gap="sm">
          <Verdict trail={trail} />
          <Steps trail={trail} />
        </Stack>
      )}
    </Card>
  )
}

/** Where a difference began: at a report, at the count, or nowhere. */
function Verdict({ trail }: { trail: CashTrail }) {
  const { t } = useTranslation('cash')
  const { money, instant } = useFormat()
  const { parted, collection, currency, timeZone, posId, base, isCut, steps } = trail
  const write = (at: string) => {
    const moment = instantOf(at)
    return moment ? instant(moment, 'minute', timeZone) : ''
  }
  const dayOf = (at: string) => dayIn(instantOf(at) ?? new Date(0), timeZone)
  const signed = (minor: number) => `${minor > 0 ? '+' : ''}${money(minor, currency)}`
  const missed = collection?.difference ?? 0
  const lastReport = steps.findLast(({ at }) => at !== null)?.at ?? base?.at
  return (
    <Stack gap="tight">
      {parted ? (
        <Flex gap="xs" wrap="wrap" align="center">
          <Badge tone="crit">{signed(parted.difference)}</Badge>
          <span>{t('trail.parted', { from: write(parted.after), to: write(parted.at) })}</span>
          <PlaceLink
            place={{
              to: '/devices/$posId/transactions',
              params: { posId },
              search: { startDate: dayOf(parted.after), endDate: dayOf(parted.at) },
            }}
          >
            {t('trail.transactions')}
          </PlaceLink>
        </Flex>
      ) : (
        <Flex gap="xs" wrap="wrap" align="center">
          <Badge tone={base ? 'ok' : 'mute'}>{t(base ? 'trail.match' : 'trail.unknown')}</Badge>
          <span>{t(base ? 'trail.matches' : 'trail.noReport')}</span>
        </Flex>
      )}
      {missed !== 0 && (
        <Flex gap="xs" wrap="wrap" align="center">
          <Badge tone="warn">{signed(missed)}</Badge>
          <span>{!parted && lastReport ? t('trail.atCount', { from: write(lastReport) }) : t('trail.counted')}</span>
        </Flex>
      )}
      {isCut && (
        <Text c="dimmed" fz="sm">
          {t('trail.cut', { days: mostTrailDays })}
        </Text>
      )}
    </Stack>
  )
}

/** The newest steps, at least back to where the difference began. */
function Steps({ trail }: { trail: CashTrail }) {
  const { t } = useTranslation('cash')
  const { number } = useFormat()
  const [isWhole, setWhole] = useState(false)
  const { steps, parted } = trail
  if (steps.length === 0) return <Text c="dimmed">{t('trail.empty')}</Text>
  const began = parted ? steps.findIndex(({ at }) => at !== null && at >= parted.at) : -1
  const least = began < 0 ? 0 : Math.min(steps.length - began + 1, 5 * shownSteps)
  const first = isWhole ? 0 : Math.max(0, steps.length - Math.max(shownSteps, least))
  return (
    <>
      <TrailTable trail={trail} first={first} began={began} />
      {first > 0 && (
        <Flex justify="center">
          <Button variant="default" onClick={() => setWhole(true)}>
            {t('trail.all', { number: number(steps.length) })}
          </Button>
        </Flex>
      )}
    </>
  )
}
