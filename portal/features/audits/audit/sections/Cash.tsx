import type { TFunction } from 'i18next'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { useReading } from '../useReading.ts'
import { type Head, Rows, Section } from './Section.tsx'

type CounterPair = { sinceInitialisation: number | null; sinceReset: number | null }

const half = (of: CounterPair) => of.sinceInitialisation !== null || of.sinceReset !== null

/** Cash received and dispensed, by named counters. */
function flowsOf(cash: AuditContent['cash'], t: TFunction): (readonly [string, CounterPair | null])[] {
  const { received, dispensed, discounts, overpaid, exactChangeSales, filled } = cash
  return [
    ...(received
      ? (['total', 'toBox', 'toTubes', 'bills', 'toRecycler'] as const).map(
          (part) =>
            [
              t(`cash.received.${part}`),
              { sinceInitialisation: received.sinceInitialisation[part], sinceReset: received.sinceReset[part] },
            ] as const,
        )
      : []),
    ...(dispensed
      ? (['dispensed', 'byHand'] as const).map(
          (part) =>
            [
              t(`cash.dispensed.${part}`),
              { sinceInitialisation: dispensed.sinceInitialisation[part], sinceReset: dispensed.sinceReset[part] },
            ] as const,
        )
      : []),
    [t('cash.filled'), filled],
    [t('cash.overpaid'), overpaid],
    [t('cash.exactChange'), exactChangeSales],
    [t('cash.discounts'), discounts],
  ]
}

/** Cash in, cash out and contents of the cash devices, by coin and bill. */
export function CashSection({ content }: { content: AuditContent }) {
  const { t, amount, count } = useReading(content.money)
  const { tubeContents, tubes, coins, bills, recyclerBills } = content.cash
  const rows = flowsOf(content.cash, t).flatMap(([name, of]) =>
    of && half(of) ? [[name, amount(of.sinceInitialisation), amount(of.sinceReset)]] : [],
  )
  const isEmpty =
    rows.length + tubes.length + coins.length + bills.length + recyclerBills.length === 0 && tubeContents === null
  /** Types without a value have their number; audits stored before the reader had types have 0. */
  const denomination = ({ type, value }: { type: number | null; value: number | null }) =>
    value ? amount(value) : type === null ? t('cash.valueUnknown') : t('cash.typeUnknown', { type })
  const number = (name: string): Head => ({ name, align: 'end' })
  const both = (of: CounterPair) =>
    half(of) ? `${count(of.sinceInitialisation) ?? '–'} / ${count(of.sinceReset) ?? '–'}` : undefined
  return (
    <Section
      title={t('section.cash')}
      from="CA3–CA21"
      isEmpty={isEmpty}
      aside={tubeContents === null ? undefined : t('cash.tubeContents', { amount: amount(tubeContents) })}
    >
      <Rows
        caption={t('section.cash')}
        heads={[{ name: t('head.flow') }, number(t('head.value')), number(t('head.valueSinceReset'))]}
        rows={rows}
      />
      <Rows
        caption={t('cash.tubes')}
        isNamed
        heads={[
          { name: t('head.tube') },
          number(t('head.coin')),
          number(t('head.pieces')),
          number(t('head.filled')),
          number(t('head.dispensed')),
          { name: t('head.remark') },
        ]}
        rows={tubes.map(({ type, value, count: pieces, filled: fill, dispensed: out, isFull }) => [
          type,
          amount(value),
          count(pieces),
          count(fill),
          count(out),
          isFull ? t('cash.full') : '',
        ])}
      />
      <Rows
        caption={t('cash.coins')}
        isNamed
        heads={[
          number(t('head.coin')),
          number(t('head.received')),
          number(t('head.toBox')),
          number(t('head.toTubes')),
          number(t('head.dispensed')),
          number(t('head.filled')),
        ]}
        rows={coins.map((coin) => [
          denomination(coin),
          both(coin.received),
          both(coin.toBox),
          both(coin.toTubes),
          both(coin.dispensed),
          both(coin.filled),
        ])}
      />
      <Rows
        caption={t('cash.bills')}
        isNamed
        heads={[number(t('head.bill')), number(t('head.received')), number(t('head.toStacker'))]}
        rows={bills.map((bill) => [denomination(bill), both(bill.received), both(bill.toStacker)])}
      />
      <Rows
        caption={t('cash.recycler')}
        isNamed
        heads={[
          number(t('head.bill')),
          number(t('head.received')),
          number(t('head.dispensed')),
          number(t('head.filled')),
        ]}
        rows={recyclerBills.map((bill) => [
          denomination(bill),
          both(bill.received),
          both(bill.dispensed),
          both(bill.filled),
        ])}
      />
    </Section>
  )
}
