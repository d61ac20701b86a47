import { Box, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type KpiDay, kpis, type MachineKpis } from '#contract/insight/kpi.ts'
import { kpiIntervalDefault, kpiIntervalLimits } from '#contract/rules/number.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { rejectionBand, rejectionRate } from '#domain/cash/rejection.ts'
import { addDays, chartPeriod, daysIn } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useMachine } from '#portal/features/machines/machine/useMachine.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { PeriodChoice, usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import { bandLooks } from './bandLooks.ts'
import classes from './Kpi.module.css'
import { Movements } from './Movements.tsx'

const intervals = [7, 30, 90, 365]

/** KPIs of a machine of a period: rejection rate, offline time, MCBF, and money moved. */
export default function KpisTab() {
  const merchant = useMerchant()
  const search = useAddressQuery()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const days = intervals.find((each) => String(each) === oneOf(search, 'days')) ?? kpiIntervalDefault
  const { value, period } = usePeriodSearch(kpiIntervalLimits)
  const { data: machine } = useMachine(posId)
  const answer = useQuery({
    ...queryOf(kpis.getMachineKpis, { params, query: period ?? { days } }),
    placeholderData: keepPreviousData,
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data || !machine) return <Box mih={200} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
  return (
    <KpiCards
      kpis={answer.data}
      days={value.length > 0 ? undefined : days}
      currency={machine.currency}
      params={params}
    />
  )
}

interface KpiCardsProps {
  kpis: MachineKpis
  /** Of the shortcuts; undefined for a chosen period. */
  days: number | undefined
  currency: Currency
  params: { merchantId: string; posId: string }
}

function KpiCards({ kpis, days, currency, params }: KpiCardsProps) {
  const { t } = useTranslation(['kpi', 'distributor-kpis'])
  const format = useFormat()
  const { value, today, set } = usePeriodSearch(kpiIntervalLimits)
  const { cashAcceptance, downtime, mcbf, series } = kpis
  const percent = (rate: number | null) => (rate === null ? t('none') : format.percent(rate / 100, 1))
  const hours = (seconds: number) => t('hours', { number: format.number(seconds / 3600, { maximumFractionDigits: 1 }) })
  const share = (seconds: number) =>
    t('share', { percent: format.percent(downtime.seconds > 0 ? seconds / downtime.seconds : 0, 1) })
  const rate = rejectionRate(cashAcceptance)
  const pieces = t('pieces', {
    count: cashAcceptance.rejected,
    number: format.number(cashAcceptance.rejected),
    all: format.number(cashAcceptance.accepted + cashAcceptance.rejected),
  })
  const first = series[0]?.day ?? ''
  const last = series.at(-1)?.day ?? ''
  return (
    <Stack gap="part">
      <Group gap="xs">
        <Segments
          name={t('interval')}
          value={days === undefined ? '' : String(days)}
          choose={(next) => set([], { days: next })}
          options={intervals.map((each) => ({
            value: String(each),
            label: t('days', { count: each, number: format.number(each) }),
          }))}
        />
        <PeriodChoice value={value} limits={kpiIntervalLimits} choose={(next) => set(next, { days: undefined })} />
        {first && (
          <Text span c="dimmed" fz="sm">
            {t('distributor-kpis:asOf', { from: format.day(first), to: format.day(last) })}
          </Text>
        )}
      </Group>
      <StatCards>
        <StatCard
          label={t('rejections')}
          value={percent(rate)}
          note={
            <>
              <Badge {...bandLooks[rejectionBand(rate)]}>{t(`band.${rejectionBand(rate)}`)}</Badge>{' '}
              {rate !== null && pieces}
            </>
          }
        />
        <StatCard
          label={t('mcbf')}
          value={mcbf.isMore ? t('moreThan', { number: format.number(mcbf.mean) }) : format.number(mcbf.mean)}
          note={t('mcbfNote', {
            cycles: format.number(mcbf.cycles),
            count: mcbf.faults,
            number: format.number(mcbf.faults),
          })}
        />
        <StatCard
          label={t('blocked')}
          value={hours(downtime.blockedSeconds)}
          note={`${share(downtime.blockedSeconds)}, ${t('blockingAlarms', {
            count: mcbf.blockingAlarms,
            number: format.number(mcbf.blockingAlarms),
          })}`}
        />
        <StatCard label={t('absent')} value={hours(downtime.absentSeconds)} note={share(downtime.absentSeconds)} />
      </StatCards>
      <PerDay series={series} preset={value.length === 1 ? value[0] : undefined} today={today} />
      <Denominations rows={cashAcceptance.denominations} currency={currency} />
      {first && <Movements params={params} startDate={first} endDate={last} />}
    </Stack>
  )
}

interface DenominationProps {
  rows: MachineKpis['cashAcceptance']['denominations']
  currency: Currency
}

/** Accepted and rejected coins and bills of each denomination. */
function Denominations({ rows, currency }: DenominationProps) {
  const { t } = useTranslation('kpi')
  const format = useFormat()
  return (
    <Card title={t('denominations')} note={t('denominationsNote')}>
      {rows.length === 0 ? (
        <Text mt="near" c="dimmed">
          {t('noPieces')}
        </Text>
      ) : (
        <Box mt="xs" className="scrolls" role="group" tabIndex={0} aria-label={t('denominations')}>
          <table className={`${numbers.table} ${classes.table}`}>
            <caption className="unseen">{t('denominations')}</caption>
            <thead>
              <tr>
                {['denomination', 'accepted', 'rejected', 'rate'].map((name) => (
                  <th key={name} scope="col">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const rate = rejectionRate(row)
                const band = rejectionBand(rate)
                return (
                  <tr key={row.denomination}>
                    <th scope="row">{format.money(row.denomination, currency)}</th>
                    <td>{format.number(row.accepted)}</td>
                    <td>{format.number(row.rejected)}</td>
                    <td>
                      <Badge {...bandLooks[band]}>{rate === null ? t('none') : format.percent(rate / 100, 1)}</Badge>
                      <span className="unseen">{t(`band.${band}`)}</span>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Box>
      )}
    </Card>
  )
}

/** Cycles per day, and the machine's blocked time. This week has seven days; future days are empty. */
function PerDay({
  series,
  preset,
  today,
}: Pick<MachineKpis, 'series'> & { preset: string | undefined; today: string }) {
  const { t } = useTranslation('kpi')
  const { day: dayOf, number } = useFormat()
  const days = useMemo(() => chartedDays(series, preset), [series, preset])
  const chart = useMemo(() => {
    const byDay = new Map(series.filter(({ day }) => day <= today).map((each) => [each.day, each]))
    const valuesOf = (value: (day: KpiDay) => number) =>
      days.map((day) => {
        const kpiDay = byDay.get(day)
        return kpiDay ? value(kpiDay) : null
      })
    return {
      categories: days.map((day) => dayOf(day)),
      series: [
        { name: t('cycles'), values: valuesOf(({ cycles }) => cycles) },
        {
          name: t('blockedHours'),
          values: valuesOf(({ blockedSeconds }) => Math.round(blockedSeconds / 360) / 10),
          kind: 'line' as const,
          color: 'crit',
        },
      ],
      format: (value: number) => number(value, { maximumFractionDigits: 1 }),
    }
  }, [series, days, today, t, dayOf, number])
  const current = days.indexOf(today)
  return (
    <Card title={t('perDay')} note={t('perDayNote')}>
      <Chart
        {...chart}
        label={t('perDay')}
        unit={`${t('cycles')} · h`}
        categoryName={t('day')}
        {...(current >= 0 && { partial: current })}
      />
    </Card>
  )
}

function chartedDays(series: MachineKpis['series'], preset: string | undefined): string[] {
  const first = series.at(0)?.day
  const last = series.at(-1)?.day
  if (first === undefined || last === undefined) return []
  const period = chartPeriod(preset, { startDate: first, endDate: last })
  return Array.from({ length: daysIn(period) }, (_, index) => addDays(first, index))
}
