import { Box, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { paidSales } from '#domain/audits/paid-sales.ts'
import { AuditValue } from '../AuditValue.tsx'
import { useReading } from '../useReading.ts'
import { Section } from './Section.tsx'
import { SumChecks } from './SumChecks.tsx'
import classes from './Totals.module.css'

const nothing = { value: null, count: null }
const checks = ['salesByDevice', 'salesBySelection', 'selectionsByDevice'] as const

/** The main counters, and the sums that should match. */
export function Totals({ content }: { content: AuditContent }) {
  const { t, amount, count, time } = useReading(content.money)
  const paid = paidSales(content)
  const { sinceInitialisation, sinceReset } = paid?.sold ?? { sinceInitialisation: nothing, sinceReset: nothing }
  const from = paid?.from ?? 'VA1'
  const figures = [
    { name: t('total.sales'), from, value: amount(sinceInitialisation.value) },
    { name: t('total.vends'), from, value: count(sinceInitialisation.count) },
    { name: t('total.selections'), from: 'PA1–PA7', value: amount(content.identities.salesBySelection.left) },
    { name: t('total.sinceReset'), from, value: amount(sinceReset.value) },
    { name: t('total.vendsSinceReset'), from, value: count(sinceReset.count) },
    { name: t('total.clock'), from: 'ID5', value: time(content.identity.clock) },
  ]
  return (
    <Section title={t('section.totals')} aside={<MoneySource money={content.money} />}>
      <SimpleGrid component="dl" minColWidth={150} spacing="lg" verticalSpacing="sm">
        {figures.map(({ name, from: blocks, value }) => (
          <div key={name}>
            <Box component="dt" c="dimmed" fz="fine">
              {name}{' '}
              <Text span c="faint" ff="monospace" fz={11}>
                {blocks}
              </Text>
            </Box>
            <Box component="dd" mt={1} fz="lg" fw={620}>
              <AuditValue value={value} />
            </Box>
          </div>
        ))}
      </SimpleGrid>
      <div className={classes.below}>
        <SumChecks
          label={t('check.title')}
          checks={checks.map((check) => {
            const { left, right, holds } = content.identities[check]
            return {
              id: check,
              name: t(`check.${check}`),
              left: <AuditValue value={amount(left)} />,
              right: <AuditValue value={amount(right)} />,
              holds,
            }
          })}
        />
      </div>
    </Section>
  )
}

/** The currency of the amounts, and its source. */
function MoneySource({ money: { currency, currencySource, digits } }: Pick<AuditContent, 'money'>) {
  const { t } = useTranslation('audit')
  return currency ? t(`money.${currencySource ?? 'fallback'}`, { currency }) : t('money.none', { digits })
}
