import { Box, SimpleGrid, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ResultOf } from '#contract/frame/endpoint.ts'
import { type CashAcceptance, distributorKpis } from '#contract/insight/distributor-kpis.ts'
import { rejectionLimits, rejectionRate } from '#domain/cash/rejection.ts'
import { mcbfOf } from '#domain/insight/cycles.ts'
import { daysIn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { FilterBar } from '#portal/ui/list/filters/FilterBar.tsx'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { BandBadge } from './BandBadge.tsx'
import { Breakdown } from './Breakdown.tsx'
import classes from './DistributorKpis.module.css'
import { FleetCard } from './FleetCard.tsx'
import { KpiSeries } from './KpiSeries.tsx'
import { Trend } from './Trend.tsx'
import { useFleetQuery } from './useFleet.ts'
import { shareOf, useKpiWords } from './useKpiWords.ts'
import { useMachinesPlace } from './useMachinesPlace.ts'

const rateOf = (counts: { accepted: number; rejected: number }) => {
  const rate = rejectionRate(counts)
  return rate === null ? null : rate / 100
}
const meanOf = ({ cycles, faults }: { cycles: number; faults: number }) =>
  faults > 0 ? mcbfOf(cycles, faults).cycles : null

/** Totals against the days before, their course, and their parts, the worst first. */
export function KpiOverview({ cash }: { cash: CashAcceptance }) {
  const { t } = useTranslation('distributor-kpis')
  const merchant = useMerchant()
  const { filters, state, change, fleetQuery } = useFleetQuery()
  const input = { params: { merchantId: merchant.id }, query: fleetQuery }
  const down = useQuery({
    ...queryOf(distributorKpis.getFleetDowntime, input),
    placeholderData: keepPreviousData,
  })
  const mcbf = useQuery({ ...queryOf(distributorKpis.getFleetMcbf, input), placeholderData: keepPreviousData })
  const failed = [down, mcbf].find(({ error, data }) => error && !data)
  if (failed?.error) return <ErrorState error={failed.error} retry={failed.refetch} />
  if (!down.data || !mcbf.data) return <Box mih={300} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
  return (
    <Stack gap="part">
      <FilterBar
        filters={filters}
        values={state.filters}
        set={(key, values) => change({ filters: { ...state.filters, [key]: values } })}
        clear={() => change({ filters: {} })}
      />
      <FleetFigures cash={cash} down={down.data} mcbf={mcbf.data} />
      <SimpleGrid minColWidth="min(440px, 100%)" autoFlow="auto-fit" spacing="part" className={classes.pair}>
        <KpiSeries kind="rejections" days={cash.series} />
        <KpiSeries kind="downtime" days={down.data.series} />
      </SimpleGrid>
      <SimpleGrid minColWidth="min(440px, 100%)" autoFlow="auto-fit" spacing="part" className={classes.pair}>
        <Breakdown cash={cash} />
        <FleetCard down={down.data} mcbf={mcbf.data} />
      </SimpleGrid>
      <Card title={t('definitions.title')}>
        <Stack component="ul" gap="snug" c="dimmed" fz="sm">
          {['days', 'rejections', 'validator', 'downtime', 'mcbf', 'trend'].map((name) => (
            <li key={name}>{t(`definitions.${name}`, rejectionLimits)}</li>
          ))}
        </Stack>
      </Card>
    </Stack>
  )
}

interface FiguresProps {
  cash: CashAcceptance
  down: ResultOf<typeof distributorKpis.getFleetDowntime>
  mcbf: ResultOf<typeof distributorKpis.getFleetMcbf>
}

/** The totals, each with its trend; they lead to the machines. */
function FleetFigures({ cash, down, mcbf }: FiguresProps) {
  const { t } = useTranslation('distributor-kpis')
  const format = useFormat()
  const words = useKpiWords()
  const place = useMachinesPlace()
  const { number } = format
  const hasBefore = down.before.seconds > 0
  const before = hasBefore
    ? t('before', { count: Math.max(0, daysIn(cash)), days: number(Math.max(0, daysIn(cash))) })
    : t('noBefore')
  return (
    <StatCards>
      <StatCard
        label={t('rejections')}
        value={words.rate(cash)}
        place={place()}
        note={
          <>
            <BandBadge counts={cash} isWord />{' '}
            {t('pieces', { number: number(cash.rejected), all: number(cash.accepted + cash.rejected) })}
            <br />
            <Trend kind="share" now={rateOf(cash)} before={rateOf(cash.before)} /> {before}
          </>
        }
      />
      <StatCard
        label={t('mcbf')}
        value={words.mcbf(mcbf)}
        place={place({ ord: 'mcbf', ordType: 'ASC' })}
        note={
          <>
            {t('faults', { cycles: number(mcbf.cycles), number: number(mcbf.faults) })}
            <br />
            <Trend kind="count" now={meanOf(mcbf)} before={meanOf(mcbf.before)} isLessBetter={false} /> {before}
          </>
        }
      />
      <StatCard
        label={t('downtime')}
        value={words.blocked(down)}
        place={place({ ord: 'blocked', ordType: 'DESC' })}
        note={
          <>
            {t('blockingAlarms', {
              count: mcbf.blockingAlarms,
              hours: words.hours(down.blockedSeconds),
              number: number(mcbf.blockingAlarms),
            })}
            <br />
            <Trend
              kind="share"
              now={shareOf(down.blockedSeconds, down.seconds)}
              before={shareOf(down.before.blockedSeconds, down.before.seconds)}
            />{' '}
            {before}
          </>
        }
      />
      <StatCard
        label={t('absence')}
        value={words.absent(down)}
        place={place({ ord: 'absent', ordType: 'DESC' })}
        note={
          <>
            {words.hours(down.absentSeconds)}
            <br />
            <Trend
              kind="share"
              now={shareOf(down.absentSeconds, down.seconds)}
              before={shareOf(down.before.absentSeconds, down.before.seconds)}
            />{' '}
            {before}
          </>
        }
      />
    </StatCards>
  )
}
