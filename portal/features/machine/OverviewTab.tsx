import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Machine, machines } from '#contract/machine.ts'
import { queryOf } from '../../app/api.ts'
import { useFeatureOf } from '../../app/feature.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Delta, StatCard, StatCards } from '../../ui/Card.tsx'
import { LevelBar } from '../../ui/LevelBar.tsx'
import { When } from '../../ui/When.tsx'
import { ratioTo } from '../dashboard/sales.ts'
import { DemoControls } from '../demo/DemoControls.tsx'
import { LastSelections } from './LastSelections.tsx'
import { MachineTimeline } from './MachineTimeline.tsx'
import { cashPercentOf } from './machineFacts.ts'
import classes from './Overview.module.css'

/** How a machine does today, and its story. */
export default function OverviewTab() {
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { data: machine } = useQuery(queryOf(machines.getMachine, { params: { merchantId: merchant.id, posId } }))
  const hasVending = useFeatureOf('vending')
  if (!machine) return null
  return (
    <>
      <TodayOf machine={machine} />
      <div className={classes.columns}>
        <div className={classes.column}>
          {hasVending(machine.merchantId) && <LastSelections machine={machine} />}
          <DemoControls machine={machine} />
        </div>
        <MachineTimeline machine={machine} />
      </div>
    </>
  )
}

function TodayOf({ machine }: { machine: Machine }) {
  const hasNetwork = useFeatureOf('network')(machine.merchantId)
  const { t } = useTranslation(['machine', 'vocabulary'])
  const format = useFormat()
  const { salesToday, usualSalesToday, salesByDay, currency, vendsToday, lastSaleAt, timeZone } = machine
  const { cashInBox, signalPercent, networkType, lastSeenAt } = machine
  const ratio = ratioTo(salesToday, usualSalesToday)
  const cashPercent = cashPercentOf(machine)
  const sold = {
    to: '/devices/$posId/transactions',
    params: { posId: machine.id },
    search: { merchant: machine.merchantId, period: 'today' },
  }
  const unknown = <span className={classes.unknown}>{t('machine:unknown')}</span>
  return (
    <div className={classes.stats}>
      <StatCards>
        <StatCard
          label={t('machine:card.today')}
          place={sold}
          value={<Amount minor={salesToday} currency={currency} />}
          trend={salesByDay}
          note={
            ratio === undefined ? (
              t('machine:card.noUsual')
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
                {t('machine:card.atThisHour')}
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
            value={signalPercent === null ? unknown : format.percent(signalPercent / 100)}
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
    </div>
  )
}
