import { Flex, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard, SalesToday } from '#contract/sales/dashboard.ts'
import { changeOf } from '#domain/time/comparison.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Delta } from '../../../ui/value/Change.tsx'
import classes from './Dashboard.module.css'
import { placeOf } from './places.ts'
import { vendsOf } from './sales.ts'
import { useCurrencies } from './useCurrencies.ts'

interface CardProps {
  /** Undefined while it loads. */
  today: Dashboard | undefined
}

/** The four numbers of the day. */
export function TodayCards({ today }: CardProps) {
  return (
    <StatCards>
      <SalesCard today={today} />
      <VendsCard today={today} />
      <SellingCard today={today} />
      <CashCard today={today} />
    </StatCards>
  )
}

/** The currencies of the sales; the sales themselves if they are of one currency. */
function useSalesToday(today: Dashboard | undefined) {
  const isMany = useCurrencies().length > 1
  const sales = today?.sales
  const [only] = sales?.length === 1 ? sales : []
  return { sales, isMany, only }
}

/** A change compared with the usual day until now. */
function AtThisHour({ ratio, isShort = false }: { ratio: number | undefined; isShort?: boolean }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  if (ratio === undefined) return isShort ? null : t('noUsual')
  const written = format.number(ratio, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  return (
    <>
      <Delta ratio={ratio} written={written} /> {!isShort && t('atThisHour')}
    </>
  )
}

interface PerCurrencyProps {
  sales: readonly SalesToday[] | undefined
  valueOf: (of: SalesToday) => number | null
  below?: (of: SalesToday) => ReactNode
}

/** An amount per currency. */
function PerCurrency({ sales, valueOf, below }: PerCurrencyProps) {
  const currencies = useCurrencies().length
  return (
    <Stack
      component="span"
      gap={0}
      fz={{ base: 'md', xs: 'figure' }}
      lh="26px"
      lts="-0.01em"
      className={classes.currencies}
    >
      {sales?.map((of) => (
        <span key={of.currency}>
          <Amount minor={valueOf(of)} currency={of.currency} />
          {below && <span className={classes.small}>{below(of)}</span>}
        </span>
      )) ?? Array.from({ length: currencies }, (_, index) => <Bone key={index} width={130} />)}
    </Stack>
  )
}

const Note = ({ today, children }: CardProps & { children: ReactNode }) => (
  <span className={classes.note}>{today ? children : <Bone width={120} />}</span>
)

function SalesCard({ today }: CardProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { sales, isMany, only } = useSalesToday(today)
  const charged = sales?.filter(({ failedCharge }) => failedCharge !== 0) ?? []
  const turnover = isMany ? (
    <PerCurrency
      sales={sales}
      valueOf={(of) => of.value}
      below={(of) => <AtThisHour ratio={changeOf(of.value, of.usualValueByNow)} isShort />}
    />
  ) : only ? (
    <Amount minor={only.value} currency={only.currency} />
  ) : (
    <Bone width={130} />
  )
  return (
    <StatCard
      label={t('card.sales')}
      place={charged.length > 0 ? undefined : placeOf.sales}
      value={
        charged.length > 0 ? (
          <PlaceLink place={placeOf.sales} className={classes.number}>
            {turnover}
          </PlaceLink>
        ) : (
          turnover
        )
      }
      trend={isMany ? undefined : only?.valueByDay}
      note={
        <Note today={today}>
          {isMany ? t('eachAtThisHour') : only && <AtThisHour ratio={changeOf(only.value, only.usualValueByNow)} />}
          {charged.length > 0 && (
            <>
              <br />
              <PlaceLink place={placeOf.failedVends} className={classes.below}>
                {t('failedCharge', {
                  amount: charged.map((of) => format.money(of.failedCharge, of.currency)).join(' · '),
                })}
              </PlaceLink>
            </>
          )}
        </Note>
      }
    />
  )
}

function VendsCard({ today }: CardProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const vends = today && vendsOf(today.sales)
  return (
    <StatCard
      label={t('card.vends')}
      place={placeOf.vends}
      value={vends ? format.number(vends.vends) : <Bone width={90} />}
      trend={vends?.byDay}
      note={<Note today={today}>{vends && <AtThisHour ratio={changeOf(vends.vends, vends.usual)} />}</Note>}
    />
  )
}

function SellingCard({ today }: CardProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  return (
    <StatCard
      label={t('card.selling')}
      value={
        today ? (
          <PlaceLink place={placeOf.selling} className={classes.number}>
            {t('sellingOf', {
              selling: format.number(today.machines.selling + today.machines.warning),
              total: format.number(today.machines.total),
            })}
          </PlaceLink>
        ) : (
          <Bone width={110} />
        )
      }
      note={<Note today={today}>{today && <States machines={today.machines} />}</Note>}
    />
  )
}

function CashCard({ today }: CardProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { sales, isMany, only } = useSalesToday(today)
  const full = today?.fullCashBoxes ?? 0
  return (
    <StatCard
      label={t('card.cash')}
      value={
        isMany ? (
          <PerCurrency sales={sales} valueOf={(of) => (of.isCashHidden ? null : of.cashInBoxes)} />
        ) : only ? (
          <PlaceLink place={placeOf.cash} className={classes.number}>
            {only.isCashHidden ? '–' : <Amount minor={only.cashInBoxes} currency={only.currency} />}
          </PlaceLink>
        ) : (
          <Bone width={130} />
        )
      }
      note={
        <Note today={today}>
          {full > 0 ? (
            <PlaceLink place={placeOf.fullCashBoxes} className={classes.below}>
              {t('fullBoxes', { count: full, number: format.number(full) })}
            </PlaceLink>
          ) : (
            t(today?.machines.total === 0 ? 'noMachines' : 'noFullBoxes')
          )}
        </Note>
      }
    />
  )
}

/** Numbers of machines that do not sell properly, each linked to its list. */
function States({ machines }: { machines: Dashboard['machines'] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const states = (['blocked', 'silent'] as const).filter((state) => machines[state] > 0)
  if (machines.total === 0) return t('noMachines')
  if (states.length === 0) return t('allSelling')
  return (
    <Flex component="span" rowGap={0} columnGap="sm" display="inline-flex" className={classes.states}>
      {states.map((state) => (
        <PlaceLink key={state} place={placeOf[state]} className={classes.below}>
          <Text
            span
            w={7}
            h={7}
            bdrs="50%"
            style={{ background: `var(--${machineStateLooks[state].tone})` }}
            aria-hidden
          />
          {t(`count.${state}`, { count: machines[state], number: format.number(machines[state]) })}
        </PlaceLink>
      ))}
    </Flex>
  )
}

const Bone = ({ width }: { width: number }) => <span className={classes.bone} style={{ width }} />
