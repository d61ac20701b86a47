import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IdentityCheck } from '#contract/audits/reconciliation.ts'
import { auditCounters } from '#contract/vocabulary/audit.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { Rows, Section } from '../sections/Section.tsx'
import { SumChecks } from '../sections/SumChecks.tsx'
import { IntervalPart } from './IntervalPart.tsx'
import type { AuditPlace } from './useReconciliation.ts'
import { ValueWithVends } from './ValueWithVends.tsx'

const stepTones = { counted: null, sinceReset: 'info', rolledOver: 'info', restarted: 'warn', unknown: 'mute' } as const

/** The change of each counter since the previous reading, and whether its sums add up. */
export default function CounterChanges({ place }: { place: AuditPlace }) {
  const { t } = useTranslation('reconciliation')
  return (
    <IntervalPart place={place}>
      {({ auditCurrency, currency: merchantCurrency, counters, identities }) => {
        const currency = auditCurrency ?? merchantCurrency
        return (
          <>
            <Section title={t('section.between')} isEmpty={identities.between.length === 0}>
              <Identities checks={identities.between} currency={currency} label={t('section.between')} />
            </Section>
            <Section title={t('section.atRead')} isEmpty={identities.atRead.length === 0}>
              <Identities checks={identities.atRead} currency={currency} label={t('section.atRead')} />
            </Section>
            <Section title={t('section.counters')} aside={counters.length} isEmpty={counters.length === 0}>
              <Rows
                caption={t('section.counters')}
                heads={[
                  { name: t('head.counter') },
                  { name: t('head.before'), align: 'end' },
                  { name: t('head.now'), align: 'end' },
                  { name: t('head.moved'), align: 'end' },
                  { name: t('head.step') },
                ]}
                rows={counters.map(({ counter, before, now, moved, step }) => {
                  const tone = stepTones[step]
                  return [
                    <Stack key="name" component="span" gap={0}>
                      {t(`counter.${counter}`)}
                      <Text span c="faint" ff="monospace" fz={11}>
                        {auditCounters[counter]}
                      </Text>
                    </Stack>,
                    <ValueWithVends key="before" of={before} currency={currency} />,
                    <ValueWithVends key="now" of={now} currency={currency} />,
                    <ValueWithVends key="moved" of={moved} currency={currency} />,
                    tone === null ? (
                      t(`step.${step}`)
                    ) : (
                      <Badge key="step" tone={tone} mark={tone === 'mute' ? 'dash' : 'half'}>
                        {t(`step.${step}`)}
                      </Badge>
                    ),
                  ]
                })}
              />
            </Section>
          </>
        )
      }}
    </IntervalPart>
  )
}

/** Both sides of sums that should match. */
function Identities({
  checks,
  currency,
  label,
}: {
  checks: readonly IdentityCheck[]
  currency: Currency
  label: string
}) {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const write = (value: number | null, isMoney: boolean) =>
    value === null ? '–' : isMoney ? format.money(value, currency) : format.number(value)
  return (
    <SumChecks
      label={label}
      checks={checks.map(({ identity, left, right, isMoney, holds }) => ({
        id: identity,
        name: t(`identity.${identity}`),
        left: <span>{write(left, isMoney)}</span>,
        right: <span>{write(right, isMoney)}</span>,
        holds,
      }))}
    />
  )
}
