import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { kpis, type MachineKpis } from '#contract/kpi.ts'
import { machines } from '#contract/machine.ts'
import { kpiIntervalDefault } from '#contract/rules/number.ts'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { formatMoney } from '#domain/money.ts'
import { type RejectionBand, rejectionBand, rejectionRate } from '#domain/rejection.ts'
import { queryOf } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { oneOf, type Search } from '../../app/search.ts'
import { Card, StatCard, StatCards } from '../../ui/Card.tsx'
import { Chart } from '../../ui/Chart.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import numbers from '../../ui/numberTable.module.css'
import { Segments } from '../../ui/Segments.tsx'
import { Badge } from '../../ui/StatusBadge.tsx'
import classes from './Kpi.module.css'
import { Movements } from './Movements.tsx'

const intervals = [7, 30, 90, 365]

/** How a machine does over some days: rejections, downtime, cycles between failures, and the money that moved. */
export default function KpisTab() {
  const merchant = useMerchant()
  const search = useSearch({ strict: false }) as Search
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const days = intervals.find((each) => String(each) === oneOf(search, 'days')) ?? kpiIntervalDefault
  const { data: machine } = useQuery(queryOf(machines.getMachine, { params }))
  const answer = useQuery({
    ...queryOf(kpis.getMachineKpis, { params, query: { days } }),
    placeholderData: keepPreviousData,
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data || !machine) return <div className={classes.waiting} aria-busy="true" />
  return <Shown found={answer.data} days={days} currency={machine.currency} params={params} />
}

const bandLooks = {
  none: { tone: 'mute', mark: 'dash' },
  good: { tone: 'ok', mark: 'check' },
  middling: { tone: 'warn', mark: 'triangle' },
  bad: { tone: 'crit', mark: 'triangle' },
} as const satisfies Record<RejectionBand, object>

interface ShownProps {
  found: MachineKpis
  days: number
  currency: Currency
  params: { merchantId: string; posId: string }
}

function Shown({ found, days, currency, params }: ShownProps) {
  const { t } = useTranslation('kpi')
  const format = useFormat()
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { cashAcceptance, downtime, mcbf, series } = found
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
    <div className={classes.view}>
      <Segments
        name={t('interval')}
        value={String(days)}
        choose={(value) =>
          void navigate({ to: '.', search: { ...search, days: value }, replace: true, resetScroll: false } as never)
        }
        options={intervals.map((each) => ({
          value: String(each),
          label: t('days', { count: each, number: format.number(each) }),
        }))}
      />
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
      <PerDay series={series} />
      <Card title={t('denominations')} note={t('denominationsNote')}>
        {cashAcceptance.denominations.length === 0 ? (
          <p className={classes.nothing}>{t('noPieces')}</p>
        ) : (
          <div className={classes.scroll} role="group" tabIndex={0} aria-label={t('denominations')}>
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
                {cashAcceptance.denominations.map((row) => {
                  const own = rejectionRate(row)
                  const band = rejectionBand(own)
                  return (
                    <tr key={row.denomination}>
                      <th scope="row">{formatMoney(row.denomination, currency)}</th>
                      <td>{format.number(row.accepted)}</td>
                      <td>{format.number(row.rejected)}</td>
                      <td>
                        <Badge {...bandLooks[band]}>{percent(own)}</Badge>
                        <span className="unseen">{t(`band.${band}`)}</span>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      {first && <Movements params={params} startDate={first} endDate={last} />}
    </div>
  )
}

/** Cycles of each day, and how long the machine was blocked. */
function PerDay({ series }: Pick<MachineKpis, 'series'>) {
  const { t } = useTranslation('kpi')
  const { day: dayOf, number } = useFormat()
  const shown = useMemo(
    () => ({
      categories: series.map(({ day }) => dayOf(day)),
      series: [
        { name: t('cycles'), values: series.map(({ cycles }) => cycles) },
        {
          name: t('blockedHours'),
          values: series.map(({ blockedSeconds }) => Math.round(blockedSeconds / 360) / 10),
          kind: 'line' as const,
          color: 'crit',
        },
      ],
      format: (value: number) => number(value, { maximumFractionDigits: 1 }),
    }),
    [series, t, dayOf, number],
  )
  return (
    <Card title={t('perDay')} note={t('perDayNote')}>
      <Chart {...shown} label={t('perDay')} categoryName={t('day')} partial={series.length - 1} />
    </Card>
  )
}
