import { Box, Flex, SimpleGrid, Stack, Text } from '@mantine/core'
import { useViewportSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import type { NeedsYou } from '#contract/sales/dashboard.ts'
import { type KioskDashboard, kiosks, type ShownKiosk } from '#contract/sales/kiosk.ts'
import { needingAttention } from '#domain/machines/machine-state.ts'
import { changeOf, usualPeriods } from '#domain/time/comparison.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Splash } from '#portal/ui/part/Splash.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Delta } from '#portal/ui/value/Change.tsx'
import { posStatusLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from '../dashboard/Dashboard.module.css'
import { Hours } from '../dashboard/Hours.tsx'
import { unconnected } from '../dashboard/needs.ts'
import { countsOf } from '../dashboard/places.ts'
import { vendsOf, weekdayOf } from '../dashboard/sales.ts'
import { kioskQuery, SecretContext } from './useKiosk.ts'

/** In pixels: a line of a machine, and all of the display beside the lines or the chart. */
const lineHeight = 60
const headHeight = 262
const shortestChart = 240

/** Today's figures on a wall: the four numbers, the machines that need attention, and the sales by hour, as on the dashboard. */
export function KioskToday({ kiosk, zoom }: { kiosk: ShownKiosk; zoom: number }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { height } = useViewportSize()
  const { data: today } = useQuery(kioskQuery(kiosks.getKioskDashboard, use(SecretContext)))
  if (!today) return <Splash />
  const [sales] = today.sales
  const room = Math.max(shortestChart, height / zoom - headHeight)
  const days = Math.max(0, ...today.sales.map(({ usualDays }) => usualDays))
  const lastDays = t(`lastDays.${weekdayOf(today.day)}`, { count: days || usualPeriods, number: format.number(days) })
  return (
    <Stack gap="part" h="100%">
      <Figures today={today} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="part" flex="1" mih={0}>
        <NeedsAttention today={today} kiosk={kiosk} most={Math.max(1, Math.floor((room - 40) / lineHeight))} />
        <Card title={t('hours.title')} note={format.day(today.day, 'weekday')}>
          {sales && <Hours sales={sales} lastDays={lastDays} height={room} />}
        </Card>
      </SimpleGrid>
    </Stack>
  )
}

function Figures({ today }: { today: KioskDashboard }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const [sales] = today.sales
  const { vends, usual, byDay } = vendsOf(today.sales)
  const { machines, fullCashBoxes: full } = today
  const atThisHour = (ratio: number | undefined): ReactNode =>
    ratio === undefined ? (
      t('noUsual')
    ) : (
      <>
        <Delta
          ratio={ratio}
          written={format.number(ratio, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })}
        />{' '}
        {t('atThisHour')}
      </>
    )
  const stopped = (['blocked', 'silent'] as const).filter((state) => machines[state] > 0)
  return (
    <StatCards>
      <StatCard
        label={t('card.sales')}
        value={sales && <Amount minor={sales.value} currency={sales.currency} />}
        trend={sales?.valueByDay}
        note={sales && atThisHour(changeOf(sales.value, sales.usualValueByNow))}
      />
      <StatCard
        label={t('card.vends')}
        value={format.number(vends)}
        trend={byDay}
        note={atThisHour(changeOf(vends, usual))}
      />
      <StatCard
        label={t('card.selling')}
        value={t('sellingOf', {
          selling: format.number(machines.selling + machines.warning),
          total: format.number(machines.total),
        })}
        note={
          machines.total === 0
            ? t('noMachines')
            : stopped
                .map((state) => t(`count.${state}`, { count: machines[state], number: format.number(machines[state]) }))
                .join(' · ') || t('allSelling')
        }
      />
      <StatCard
        label={t('card.cash')}
        value={sales && (sales.isCashHidden ? '–' : <Amount minor={sales.cashInBoxes} currency={sales.currency} />)}
        note={full > 0 ? t('fullBoxes', { count: full, number: format.number(full) }) : t('noFullBoxes')}
      />
    </StatCards>
  )
}

interface NeedsProps {
  today: KioskDashboard
  kiosk: ShownKiosk
  /** Lines that fit. */
  most: number
}

function NeedsAttention({ today, kiosk, most }: NeedsProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const all = needingAttention(today.machines.posStatuses)
  const counts = Object.entries(countsOf(today)).filter(([, count]) => count > 0)
  return (
    <Card title={t('needs.title')} note={all > 0 ? format.number(all) : undefined} isFlush>
      {today.needsYou.length === 0 ? (
        <Text p="lg" c="dimmed" ta="center">
          {t(today.machines.total === 0 ? 'noMachines' : 'needs.none')}
        </Text>
      ) : (
        <Box component="ul" className="clips">
          {today.needsYou.slice(0, most).map((line) => (
            <Line key={line.posId} line={line} kiosk={kiosk} />
          ))}
        </Box>
      )}
      <Flex rowGap="hair" columnGap="md" wrap="wrap" className={classes.counts}>
        {counts.map(([key, count]) => (
          <Text key={key} span c="dimmed" fz="fine">
            {t(`count.${key}`, { count, number: format.number(count) })}
          </Text>
        ))}
      </Flex>
    </Card>
  )
}

function Line({ line, kiosk }: { line: NeedsYou; kiosk: ShownKiosk }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const alarmName = useAlarmName()
  const now = useNow()
  const since = instantOf(line.since)
  return (
    <li className={classes.line}>
      <span className={classes.badge}>
        <StatusBadge of={posStatusLooks} value={line.posStatus} />
      </span>
      <span className={classes.what}>
        <span className={classes.lead}>
          {line.code === null ? t(`needs.${unconnected(line)}`) : alarmName(line.code)}
        </span>
        <span className={classes.whose}>
          {[line.posName, kiosk.groupName === null && line.groupName].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className={classes.since}>{since && format.relative(since, now)}</span>
    </li>
  )
}
