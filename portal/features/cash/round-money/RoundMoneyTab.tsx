import { Button, Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type ChangeFundKind, type RoundMoney, roundMoney, type StopMoney } from '#contract/cash/round-money.ts'
import type { Round } from '#contract/stock/round.ts'
import { rounds } from '#contract/stock/round.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { ChangeFundDialog } from './ChangeFundDialog.tsx'

/** The bags of a round, counted against expected, and the change that its driver has. */
export default function RoundMoneyTab() {
  const round = useRecord(rounds.getRound, 'roundId').data
  return round ? <Money round={round} /> : null
}

function Money({ round }: { round: Round }) {
  const params = { merchantId: round.merchantId, roundId: round.id }
  const { data, error, refetch } = useQuery(queryOf(roundMoney.getRoundMoney, { params }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return (
    <Stack gap="part" mt="part">
      <Figures money={data} />
      <Columns of="minmax(0, 1.6fr) minmax(0, 1fr)" from="md" gap="part" align="start">
        <Bags money={data} timeZone={round.timeZone} />
        <ChangeFund round={round} money={data} />
      </Columns>
    </Stack>
  )
}

function Figures({ money: { totals, currency } }: { money: RoundMoney }) {
  const { t } = useTranslation('round-money')
  const format = useFormat()
  return (
    <StatCards>
      <StatCard
        label={t('bags')}
        value={format.number(totals.collected)}
        note={totals.uncounted > 0 && t('uncounted', { number: format.number(totals.uncounted) })}
      />
      <StatCard label={t('counted')} value={<Amount minor={totals.counted} currency={currency} />} />
      <StatCard
        label={t('expected')}
        value={<Amount minor={totals.expected} currency={currency} />}
        note={t('ofCounted')}
      />
      <StatCard label={t('over')} value={<Amount minor={totals.over} currency={currency} />} />
      <StatCard label={t('short')} value={<Amount minor={totals.short} currency={currency} />} />
    </StatCards>
  )
}

function Bags({ money, timeZone }: { money: RoundMoney; timeZone: string }) {
  const { t } = useTranslation('round-money')
  const bags = money.stops.filter(({ collectionId, bagNumber }) => collectionId !== null || bagNumber !== null)
  return (
    <Card title={t('bags')} isFlush>
      {bags.length === 0 ? (
        <EmptyState title={t('noBags')} text={t('noBagsText')} />
      ) : (
        <ul>
          {bags.map((stop) => (
            <Bag key={stop.visitId ?? stop.stopId} stop={stop} currency={money.currency} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface BagProps {
  stop: StopMoney
  currency: Currency
  timeZone: string
}

function Bag({ stop, currency, timeZone }: BagProps) {
  const { t } = useTranslation('round-money')
  const { posName, collectionId, bagNumber, collectedAt, counted, difference } = stop
  return (
    <Flex component="li" className="ruled" gap="near" justify="space-between" wrap="wrap" px="part" py="xs">
      <Stack gap={0} miw={0} className="breaks">
        {collectionId ? (
          <PlaceLink place={{ to: '/devices/collections/$collectionId', params: { collectionId } }}>
            {posName}
          </PlaceLink>
        ) : (
          <strong>{posName}</strong>
        )}
        <Text span c="dimmed" fz="sm">
          {bagNumber === null ? t('noNumber') : t('bag', { number: bagNumber })}
          {collectedAt && ' · '}
          {collectedAt && <When at={collectedAt} timeZone={timeZone} />}
        </Text>
      </Stack>
      <Flex gap="near" align="center">
        {counted === null ? (
          <Text span c="dimmed">
            {t('notCounted')}
          </Text>
        ) : (
          <Amount minor={counted} currency={currency} />
        )}
        {difference !== null && difference !== 0 && <Over difference={difference} currency={currency} />}
      </Flex>
    </Flex>
  )
}

/** Counted minus expected, with its sign and in words. */
function Over({ difference, currency }: { difference: number; currency: Currency }) {
  const { t } = useTranslation('round-money')
  const { money } = useFormat()
  return (
    <Badge tone={difference > 0 ? 'warn' : 'crit'} mark="triangle">
      {t(difference > 0 ? 'overBy' : 'shortBy', { amount: money(Math.abs(difference), currency) })}
    </Badge>
  )
}

function ChangeFund({ round, money }: { round: Round; money: RoundMoney }) {
  const { t } = useTranslation('round-money')
  const { me } = useSession()
  const [kind, setKind] = useState<ChangeFundKind>()
  const { driverName, open, entries } = money.changeFund
  const mayBook = Boolean(me && roleMay(me.role, 'changeFund.write'))
  return (
    <Card title={t('fund.title')} note={driverName ?? undefined}>
      <Stack gap="near">
        <Flex justify="space-between" gap="near">
          <Text span>{t('fund.open')}</Text>
          <strong>
            <Amount minor={open} currency={money.currency} />
          </strong>
        </Flex>
        {entries.map(({ id, kind: entryKind, amount, at, by, note }) => (
          <Flex key={id} justify="space-between" gap="near" wrap="wrap">
            <Stack gap={0} miw={0} className="breaks">
              <span>{t(`fund.${entryKind}`)}</span>
              <Text span c="dimmed" fz="sm">
                <When at={at} timeZone={round.timeZone} /> {[by, note].filter(Boolean).join(' · ')}
              </Text>
            </Stack>
            <Amount minor={entryKind === 'given' ? amount : -amount} currency={money.currency} />
          </Flex>
        ))}
        {mayBook && (
          <Flex gap="near" wrap="wrap">
            <Button variant="default" onClick={() => setKind('given')}>
              {t('fund.give')}
            </Button>
            {open > 0 && (
              <Button variant="default" onClick={() => setKind('returned')}>
                {t('fund.takeBack')}
              </Button>
            )}
          </Flex>
        )}
      </Stack>
      {kind && <ChangeFundDialog round={round} kind={kind} money={money} close={() => setKind(undefined)} />}
    </Card>
  )
}
