import type { AuditContent, Tallies } from '#contract/audits/audit-content.ts'
import { useReading } from '../useReading.ts'
import { Rows, Section } from './Section.tsx'

/** Sales by kind and by means of payment. Rows that the file does not report are left out. */
export function Payments({ content }: { content: AuditContent }) {
  const { t, amount, halves, halfHeads } = useReading(content.money)
  const { sales, payments } = content
  const { cash, cashless1, cashless2, vendTokens, valueTokens } = payments
  const reported = (rows: (readonly [name: string, of: Tallies | null | undefined])[]) =>
    rows.flatMap(([name, of]) => (of ? [[name, ...halves(of)]] : []))
  const kinds = reported([
    [t('sale.paid'), sales.paid],
    [t('sale.discounts'), sales.discounts],
    [t('sale.surcharges'), sales.surcharges],
    [t('sale.free'), sales.free],
    [t('sale.test'), sales.test],
  ])
  const means = reported([
    [t('payment.cash'), cash],
    [t('payment.cashless1'), cashless1?.sold],
    [t('payment.cashless1Discounts'), cashless1?.discounts],
    [t('payment.cashless2'), cashless2?.sold],
    [t('payment.cashless2Discounts'), cashless2?.discounts],
    [t('payment.vendTokens'), vendTokens],
    [t('payment.valueTokens'), valueTokens],
  ])
  const accounts = (
    [
      [t('payment.cashless1Debited'), cashless1?.debited],
      [t('payment.cashless1Credited'), cashless1?.credited],
      [t('payment.cashless2Debited'), cashless2?.debited],
      [t('payment.cashless2Credited'), cashless2?.credited],
    ] as const
  ).flatMap(([name, of]) => (of ? [[name, amount(of.sinceInitialisation), amount(of.sinceReset)]] : []))
  return (
    <>
      <Section title={t('section.sales')} from="VA1–VA3" isEmpty={kinds.length === 0}>
        <Rows caption={t('section.sales')} heads={[{ name: t('head.kind') }, ...halfHeads]} rows={kinds} />
      </Section>
      <Section title={t('section.payments')} from="CA2 DA2 DB2 TA2" isEmpty={means.length + accounts.length === 0}>
        <Rows caption={t('section.payments')} heads={[{ name: t('head.means') }, ...halfHeads]} rows={means} />
        <Rows
          caption={t('section.accounts')}
          isNamed
          heads={[
            { name: t('head.means') },
            { name: t('head.value'), align: 'end' },
            { name: t('head.valueSinceReset'), align: 'end' },
          ]}
          rows={accounts}
        />
      </Section>
    </>
  )
}
