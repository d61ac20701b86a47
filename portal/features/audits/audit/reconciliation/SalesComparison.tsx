import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Agreement, reconciliationLines } from '#contract/vocabulary/audit.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { Rows, Section } from '../sections/Section.tsx'
import { IntervalPart } from './IntervalPart.tsx'
import { agreementLooks } from './looks.ts'
import type { AuditPlace } from './useReconciliation.ts'
import { ValueWithVends } from './ValueWithVends.tsx'

/** Lines that differ are first, otherwise in their order. */
const differingFirst = <T extends { state: Agreement }>(lines: readonly T[]): T[] =>
  lines.toSorted((one, other) => Number(other.state === 'differs') - Number(one.state === 'differs'))

/** An audit against the transmitted sales: in total, by payment, in cash, and by selection. */
export default function SalesComparison({ place }: { place: AuditPlace }) {
  const { money } = useFormat()
  const { t } = useTranslation('reconciliation')
  return (
    <IntervalPart place={place}>
      {({ interval, currency, auditCurrency, selections }) => (
        <>
          <Section title={t('section.lines')} isEmpty={interval.lines.length === 0}>
            <Rows
              caption={t('section.lines')}
              heads={[
                { name: t('head.line') },
                { name: t('head.state') },
                { name: t('head.audited'), align: 'end' },
                { name: t('head.arrived'), align: 'end' },
                { name: t('head.difference'), align: 'end' },
              ]}
              rows={differingFirst(interval.lines).map(({ name, audited, other, difference, state }) => [
                <Stack key="name" component="span" gap={0}>
                  {t(`line.${name}`)}
                  <Text span c="dimmed" fz="fine" lh="fine">
                    {t(`against.${reconciliationLines[name]}`)}
                  </Text>
                </Stack>,
                <StatusBadge key="state" of={agreementLooks} value={state} />,
                <ValueWithVends key="audited" of={audited} currency={currency} />,
                <ValueWithVends key="other" of={other} currency={currency} />,
                <ValueWithVends key="difference" of={difference} currency={currency} isDifference />,
              ])}
            />
          </Section>
          <Section title={t('section.selections')} aside={selections.length} isEmpty={selections.length === 0}>
            <Rows
              caption={t('section.selections')}
              heads={[
                { name: t('head.selection') },
                { name: t('head.product') },
                { name: t('head.state') },
                { name: t('head.audited'), align: 'end' },
                { name: t('head.transmitted'), align: 'end' },
                { name: t('head.price'), align: 'end' },
              ]}
              rows={differingFirst(selections).map(
                ({ selection, name, soldAs, price, audited, transmitted, state }) => [
                  <code key="selection">{selection}</code>,
                  <Stack key="product" component="span" gap={0}>
                    {name ?? soldAs}
                    {name && soldAs && name !== soldAs && (
                      <Text span c="dimmed" fz="fine" lh="fine">
                        {t('soldAs', { name: soldAs })}
                      </Text>
                    )}
                  </Stack>,
                  <StatusBadge key="state" of={agreementLooks} value={state} />,
                  <ValueWithVends key="audited" of={audited} currency={auditCurrency ?? currency} />,
                  <ValueWithVends key="transmitted" of={transmitted} currency={currency} />,
                  price === null ? null : money(price, auditCurrency ?? currency),
                ],
              )}
            />
          </Section>
        </>
      )}
    </IntervalPart>
  )
}
