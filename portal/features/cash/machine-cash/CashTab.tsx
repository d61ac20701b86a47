import { Box, Flex, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cashPeriod, type MachineCash, machineCash } from '#contract/cash/machine-cash.ts'
import { rejectionBand, rejectionRate } from '#domain/cash/rejection.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SortHeading } from '#portal/ui/list/SortHeading.tsx'
import { useSorted } from '#portal/ui/list/useSorted.ts'
import { Card, StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { PeriodChoice, usePeriodSearch } from '#portal/ui/time/PeriodChoice.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import { Delta } from '../../../ui/value/Change.tsx'
import { BoxCard } from './BoxCard.tsx'
import { bandLooks } from './bandLooks.ts'
import classes from './Cash.module.css'
import { SlotsCard } from './SlotsCard.tsx'

const CashTrailCard = lazyPart(() => import('../trail/CashTrailCard.tsx'))

/** The cash of a machine: what is in it, what moved since the last collection, and which pieces it accepted and refused. */
export default function CashTab() {
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { period } = usePeriodSearch(cashPeriod)
  const params = { merchantId: merchant.id, posId }
  const answer = useQuery({
    ...queryOf(machineCash.getMachineCash, { params, query: period ?? {} }),
    placeholderData: keepPreviousData,
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data) return <Box mih={320} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
  return (
    <Stack gap="part">
      <Totals cash={answer.data} />
      {!answer.data.isBoxHidden && (
        <Part>
          <CashTrailCard merchantId={merchant.id} of={{ posId }} />
        </Part>
      )}
      <SlotsCard cash={answer.data} params={params} />
      {!answer.data.isBoxHidden && <BoxCard cash={answer.data} />}
      <Acceptance cash={answer.data} />
    </Stack>
  )
}

function Totals({ cash }: { cash: MachineCash }) {
  const { t } = useTranslation(['cash', 'vocabulary'])
  const { currency, slots, box, boxCapacity, isBoxHidden, lastCollection, since, readAt } = cash
  const amount = (minor: number) => <Amount minor={minor} currency={currency} />
  const totalOf = (device: 'tube' | 'recycler') => {
    const deviceSlots = slots.filter((slot) => slot.device === device && slot.count !== null)
    return deviceSlots.length === 0
      ? null
      : deviceSlots.reduce((sum, { value, count }) => sum + value * (count ?? 0), 0)
  }
  const tubes = totalOf('tube')
  const recyclers = totalOf('recycler')
  const all = [tubes, recyclers, box].reduce<number | null>((sum, one) => (one === null ? sum : (sum ?? 0) + one), null)
  return (
    <StatCards>
      <StatCard
        label={t('stat.all')}
        value={all === null ? '–' : amount(all)}
        note={readAt ? <When at={readAt} /> : t('stat.unread')}
      />
      <StatCard
        label={t('stat.box')}
        value={box === null ? '–' : amount(box)}
        note={
          box !== null && boxCapacity ? (
            <LevelBar percent={(box / boxCapacity) * 100} isFullGood={false} label={t('stat.box')} />
          ) : isBoxHidden ? (
            t('boxHidden')
          ) : undefined
        }
      />
      <StatCard label={t('stat.tubes')} value={tubes === null ? '–' : amount(tubes)} />
      {recyclers !== null && <StatCard label={t('stat.recyclers')} value={amount(recyclers)} />}
      <StatCard
        label={t('stat.since')}
        value={since ? amount(since.in) : '–'}
        note={
          since && lastCollection ? (
            <>
              {t('stat.out')} {amount(since.out)} · <When at={lastCollection.at} />
              <CashElsewhere since={since} amount={amount} />
            </>
          ) : (
            t(lastCollection ? 'boxHidden' : 'stat.never')
          )
        }
        {...(lastCollection && {
          place: { to: '/devices/collections/$collectionId', params: { collectionId: lastCollection.id } },
        })}
      />
    </StatCards>
  )
}

/** Where the cash since the collection is, beside the box. */
function CashElsewhere({
  since: { tubes, left, unreported },
  amount,
}: {
  since: NonNullable<MachineCash['since']>
  amount: (minor: number) => ReactNode
}) {
  const { t } = useTranslation('cash')
  const parts = [
    { name: 'left' as const, value: left },
    { name: 'inTubes' as const, value: tubes },
    { name: 'unreported' as const, value: unreported },
  ].filter(({ value }) => value)
  return parts.map(({ name, value }) => (
    <Fragment key={name}>
      <br />
      {t(`stat.${name}`)} {amount(value ?? 0)}
    </Fragment>
  ))
}

const acceptanceColumns = ['denomination', 'accepted', 'rejected', 'rate'] as const

/** Accepted and refused pieces by denomination, with the rate of the period before. */
function Acceptance({ cash: { acceptance, currency } }: { cash: MachineCash }) {
  const { t } = useTranslation(['cash', 'distributor-kpis'])
  const format = useFormat()
  const { value, today, set } = usePeriodSearch(cashPeriod)
  const sorted = useSorted(acceptance.denominations, (row, column: (typeof acceptanceColumns)[number]) =>
    column === 'rate' ? rejectionRate(row) : row[column],
  )
  const { startDate, endDate } = acceptance
  const days =
    endDate < today
      ? t('distributor-kpis:asOf', { from: format.day(startDate), to: format.day(endDate) })
      : format.day(startDate)
  const sum = acceptance.denominations.reduce(
    (total, row) => ({ accepted: total.accepted + row.accepted, rejected: total.rejected + row.rejected }),
    { accepted: 0, rejected: 0 },
  )
  const rate = rejectionRate(sum)
  const before = rejectionRate(acceptance.previous)
  const percent = (one: number | null) => (one === null ? '–' : format.percent(one / 100, 1))
  const points = rate !== null && before !== null ? rate - before : null
  const rows = [
    ...sorted.rows.map((row) => ({ ...row, name: format.money(row.denomination, currency) })),
    { ...sum, denomination: 0, name: t('line.total') },
  ]
  return (
    <Card
      title={t('acceptance.title')}
      note={`${t('acceptance.note')} · ${days}`}
      actions={<PeriodChoice value={value} limits={cashPeriod} choose={(next) => set(next)} />}
    >
      <Flex component="p" rowGap="tight" columnGap="xs" wrap="wrap" align="center" mb="xs" c="dimmed">
        <Box component="strong" c="bright" fz="xl">
          {percent(rate)}
        </Box>{' '}
        <Badge {...bandLooks[rejectionBand(rate)]}>{t(`band.${rejectionBand(rate)}`)}</Badge>{' '}
        {points !== null && (
          <span>
            <Delta
              ratio={points / 100}
              isLessBetter
              written={t('acceptance.points', {
                count: points,
                number: format.number(points, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
              })}
            />{' '}
            {t('acceptance.before')}
          </span>
        )}
      </Flex>
      {acceptance.denominations.length === 0 ? (
        <Text c="dimmed">{t('acceptance.empty')}</Text>
      ) : (
        <Box className={`${classes.scroll} scrolls`}>
          <table className={`${numbers.table} ${classes.table}`}>
            <caption className="unseen">{t('acceptance.title')}</caption>
            <thead>
              <tr>
                {acceptanceColumns.map((name) => (
                  <SortHeading
                    key={name}
                    by={name}
                    name={t(`line.${name}`)}
                    isText={name === 'denomination'}
                    {...sorted.heading}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const rate = rejectionRate(row)
                return (
                  <tr key={row.denomination}>
                    <th scope="row">{row.name}</th>
                    <td>{format.number(row.accepted)}</td>
                    <td>{format.number(row.rejected)}</td>
                    <td>
                      <Badge {...bandLooks[rejectionBand(rate)]}>{percent(rate)}</Badge>
                      <span className="unseen">{t(`band.${rejectionBand(rate)}`)}</span>
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
