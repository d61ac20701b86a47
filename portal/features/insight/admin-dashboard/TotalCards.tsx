import { Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { alarms } from '#contract/alarms/alarm.ts'
import type { AlarmCount, CurrencySales, MachineStats, MerchantStats } from '#contract/insight/admin-stats.ts'
import type { MachineState } from '#contract/machines/machine-state.ts'
import type { AlarmCriticity } from '#contract/vocabulary/alarm.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './AdminDashboard.module.css'
import { CountLink, Figure } from './Figure.tsx'
import { useRevealed } from './revealed.ts'
import { Veil } from './Veil.tsx'

interface Props {
  merchants: z.infer<typeof MerchantStats> | undefined
  machines: MachineStats | undefined
  sales: readonly CurrencySales[] | undefined
  alarms: readonly z.infer<typeof AlarmCount>[] | undefined
}

/** A list in its default state, not in the user's last one. */
const wholeList = { page: '1' }
const ofMerchants = (search: Record<string, string> = wholeList): Place => ({ to: '/admin/merchants', search })
const ofMachines = (search: Record<string, string | string[]> = wholeList): Place =>
  placeInMerchant(allMerchants, { to: '/devices/list', search })
const machinesIn = (...states: MachineState[]) => ofMachines({ states })
const openAlarms = (criticity: AlarmCriticity): Place =>
  placeInMerchant(
    allMerchants,
    listPlace<typeof alarms.listAlarms>('/alarms', {
      statuses: ['active', 'notification'],
      criticities: [criticity],
    }),
  )
const soldIn = (period: 'today' | 'thisMonth'): Place =>
  placeInMerchant(allMerchants, { to: '/transactions/stats', search: { period } })

/** Totals of machines, problems and sales. */
export function TotalCards({ merchants, machines, sales, alarms }: Props) {
  const { t } = useTranslation('admin-dashboard')
  const countOf = (criticity: AlarmCriticity) => alarms?.find((one) => one.criticity === criticity)?.count
  return (
    <StatCards>
      <StatCard
        label={t('merchants.title')}
        value={<Figure count={merchants?.total} place={ofMerchants()} />}
        note={
          <Flex component="span" rowGap={0} columnGap="sm" wrap="wrap">
            <CountLink count={merchants?.demo} place={ofMerchants({ isDemo: 'true' })}>
              {t('merchants.demo')}
            </CountLink>
            <CountLink count={merchants?.demoEnding} place={ofMerchants({ demoStates: 'ending' })}>
              {t('merchants.demoEnding')}
            </CountLink>
            <CountLink count={merchants?.demoEnded} place={ofMerchants({ demoStates: 'ended' })}>
              {t('merchants.demoEnded')}
            </CountLink>
          </Flex>
        }
      />
      <StatCard
        label={t('machines.title')}
        value={<Figure count={machines?.states.total} place={ofMachines()} />}
        note={
          <Flex component="span" rowGap={0} columnGap="sm" wrap="wrap">
            <CountLink count={machines?.states.blocked} place={machinesIn('blocked')}>
              {t('machines.blocked')}
            </CountLink>
            <CountLink count={machines?.states.silent} place={machinesIn('silent')}>
              {t('machines.silent')}
            </CountLink>
            <CountLink count={machines?.states.warning} place={machinesIn('warning')}>
              {t('machines.warning')}
            </CountLink>
          </Flex>
        }
      />
      <StatCard
        label={t('alarms.title')}
        value={<Figure count={countOf(4)} place={openAlarms(4)} />}
        note={
          <Flex component="span" rowGap={0} columnGap="sm" wrap="wrap">
            <CountLink count={countOf(2)} place={openAlarms(2)}>
              {t('alarms.warnings')}
            </CountLink>
            <CountLink count={countOf(0)} place={openAlarms(0)}>
              {t('alarms.notifications')}
            </CountLink>
          </Flex>
        }
      />
      <StatCard label={t('sales.today')} value={<Sales sales={sales} what="today" />} />
      <StatCard label={t('sales.month')} value={<Sales sales={sales} what="period" />} />
    </StatCards>
  )
}

/** A line for each currency; while hidden, the number of currencies is hidden too. */
function Sales({ sales, what }: { sales: Props['sales']; what: 'today' | 'period' }) {
  const [isRevealed] = useRevealed()
  return (
    <PlaceLink place={soldIn(what === 'today' ? 'today' : 'thisMonth')} className={classes.currencies}>
      {isRevealed && sales ? (
        sales.map(({ currency, [what]: { value } }) => <Amount key={currency} minor={value} currency={currency} />)
      ) : (
        <Veil width={7}>
          <Text
            span
            display="inline-block"
            w="2.4em"
            h="0.7em"
            bdrs="xs"
            bg="var(--sunken)"
            style={{ verticalAlign: 'middle' }}
          />
        </Veil>
      )}
    </PlaceLink>
  )
}
