import { useTranslation } from 'react-i18next'
import type { AuditContent, AuditIdentityCheck } from '#contract/audit-content.ts'
import { Badge } from '../../../ui/StatusBadge.tsx'
import { Reported } from '../Reported.tsx'
import { useReading } from '../useReading.ts'
import { Section } from './Section.tsx'
import classes from './Totals.module.css'

const checks = ['salesByDevice', 'salesBySelection', 'selectionsByDevice'] as const

/** The counters everybody asks for, and the sums that ought to agree. */
export function Totals({ content }: { content: AuditContent }) {
  const { t, amount, count, time } = useReading(content.money)
  const paid = content.sales.paid
  const figures = [
    { name: t('total.sales'), from: 'VA101', value: amount(paid?.sinceInitialisation.value ?? null) },
    { name: t('total.vends'), from: 'VA102', value: count(paid?.sinceInitialisation.count ?? null) },
    { name: t('total.selections'), from: 'ΣPA2', value: amount(content.identities.salesBySelection.left) },
    { name: t('total.sinceReset'), from: 'VA103', value: amount(paid?.sinceReset.value ?? null) },
    { name: t('total.clock'), from: 'ID5', value: time(content.identity.clock) },
  ]
  return (
    <Section title={t('section.totals')} aside={<MoneySaid money={content.money} />}>
      <dl className={classes.figures}>
        {figures.map(({ name, from, value }) => (
          <div key={from}>
            <dt>
              {name} <span className={classes.from}>{from}</span>
            </dt>
            <dd>
              <Reported value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <ul className={classes.checks} aria-label={t('check.title')}>
        {checks.map((check) => (
          <Check key={check} check={check} of={content.identities[check]} content={content} />
        ))}
      </ul>
    </Section>
  )
}

function Check({
  check,
  of: { left, right, holds },
  content,
}: {
  check: (typeof checks)[number]
  of: AuditIdentityCheck
  content: AuditContent
}) {
  const { t, amount } = useReading(content.money)
  return (
    <li className={classes.check}>
      <span className={classes.said}>
        <span>{t(`check.${check}`)}</span>
        <span className={classes.sums}>
          <Reported value={amount(left)} />
          <span aria-hidden>{holds === false ? '≠' : '·'}</span>
          <Reported value={amount(right)} />
        </span>
      </span>
      {holds === null ? (
        <Badge tone="mute" mark="dash">
          {t('check.unknown')}
        </Badge>
      ) : holds ? (
        <Badge tone="ok" mark="check">
          {t('check.holds')}
        </Badge>
      ) : (
        <Badge tone="warn" mark="triangle">
          {t('check.differs')}
        </Badge>
      )}
    </li>
  )
}

/** In what the amounts are, and how that is known. */
function MoneySaid({ money: { currency, currencySource, digits } }: Pick<AuditContent, 'money'>) {
  const { t } = useTranslation('audit')
  return currency ? t(`money.${currencySource ?? 'fallback'}`, { currency }) : t('money.none', { digits })
}
