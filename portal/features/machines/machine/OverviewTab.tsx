import { Box, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Machine } from '#contract/machines/machine.ts'
import { changeOf } from '#domain/time/comparison.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useHere } from '#portal/app/here.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { DemoControls } from '#portal/features/machines/demo/DemoControls.tsx'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { Part } from '#portal/ui/part/lazyPart.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { Delta } from '../../../ui/value/Change.tsx'
import { LastSelections } from './LastSelections.tsx'
import { cashPercentOf } from './machineFacts.ts'
import classes from './Overview.module.css'
import { MachineTimeline } from './timeline/MachineTimeline.tsx'
import { useMachine } from './useMachine.ts'

/** A machine's figures of today, and its timeline. */
export default function OverviewTab() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { data: machine } = useMachine(posId)
  const hasVending = useFeatureOf('vending')
  const parts = useHere()?.screen.parts ?? []
  if (!machine) return null
  return (
    <>
      <MachineToday machine={machine} />
      <Columns of="minmax(0, 1fr) minmax(0, 1fr)" from="sm" gap="part" align="start" className={classes.columns}>
        <div className={classes.column}>
          {parts.map((OfArea, index) => (
            // Parts of the screen table, which never change.
            <Part key={index} fallback={<Box mih={110} />}>
              <OfArea />
            </Part>
          ))}
          {hasVending(machine.merchantId) && <LastSelections machine={machine} />}
          <DemoControls machine={machine} />
        </div>
        <MachineTimeline machine={machine} />
      </Columns>
    </>
  )
}

function MachineToday({ machine }: { machine: Machine }) {
  const hasNetwork = useFeatureOf('network')(machine.merchantId)
  const { t } = useTranslation(['machine', 'vocabulary'])
  const format = useFormat()
  const { salesToday, usualSalesToday, usualDays, salesByDay, currency, vendsToday, lastSaleAt, timeZone } = machine
  const { cashInBox, signalPercent, networkType, lastSeenAt } = machine
  const ratio = changeOf(salesToday, usualSalesToday)
  const cashPercent = cashPercentOf(machine)
  const sold = {
    to: '/devices/$posId/transactions',
    params: { posId: machine.id },
    search: { period: 'today' },
  }
  const unknown = (
    <Text span c="faint" fz={18} fw={550}>
      {t('machine:unknown')}
    </Text>
  )
  return (
    <Box mb="part">
      <StatCards>
        <StatCard
          label={t('machine:card.today')}
          place={sold}
          value={<Amount minor={salesToday} currency={currency} />}
          trend={salesByDay}
          note={
            ratio === undefined ? (
              t(usualDays === 0 ? 'machine:card.noUsual' : 'machine:card.usualZero')
            ) : (
              <>
                <Delta
                  ratio={ratio}
                  written={format.number(ratio, {
                    style: 'percent',
                    maximumFractionDigits: 0,
                    signDisplay: 'exceptZero',
                  })}
                />{' '}
                {t('machine:card.atThisHour', { count: usualDays, number: format.number(usualDays) })}
              </>
            )
          }
        />
        <StatCard
          label={t('machine:card.vends')}
          place={sold}
          value={format.number(vendsToday)}
          note={
            lastSaleAt ? (
              <>
                {t('machine:card.lastSale')} <When at={lastSaleAt} timeZone={timeZone} />
              </>
            ) : (
              t('machine:card.noSale')
            )
          }
        />
        <StatCard
          label={t('machine:card.cashBox')}
          value={cashInBox === null ? unknown : <Amount minor={cashInBox} currency={currency} />}
          note={
            cashPercent === undefined ? (
              t('machine:card.noCapacity')
            ) : (
              <LevelBar percent={cashPercent} isFullGood={false} label={t('machine:card.cashBox')} />
            )
          }
        />
        {hasNetwork && (
          <StatCard
            label={t('machine:card.signal')}
            value={typeof signalPercent === 'number' ? format.percent(signalPercent / 100) : unknown}
            note={
              <>
                {networkType && `${t(`vocabulary:networkType.${networkType}`)} · `}
                {lastSeenAt ? (
                  <>
                    {t('machine:card.seen')} <When at={lastSeenAt} timeZone={timeZone} />
                  </>
                ) : (
                  t('machine:card.neverSeen')
                )}
              </>
            }
          />
        )}
      </StatCards>
    </Box>
  )
}
