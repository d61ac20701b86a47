import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './SumChecks.module.css'

interface Check {
  id: string
  name: string
  left: ReactNode
  right: ReactNode
  /** Null if a side is unknown. */
  holds: boolean | null
}

/** Sums that should match: both sides, and whether they do. */
export function SumChecks({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks.map(({ id, name, left, right, holds }) => (
        <li key={id} className={classes.check}>
          <span className={classes.said}>
            <span>{name}</span>
            <span className={classes.sums}>
              {left}
              <span aria-hidden>{holds === false ? '≠' : '·'}</span>
              {right}
            </span>
          </span>
          <Holds holds={holds} />
        </li>
      ))}
    </ul>
  )
}

function Holds({ holds }: { holds: boolean | null }) {
  const { t } = useTranslation('audit')
  if (holds === null)
    return (
      <Badge tone="mute" mark="dash">
        {t('check.unknown')}
      </Badge>
    )
  return (
    <Badge tone={holds ? 'ok' : 'warn'} mark={holds ? 'check' : 'triangle'}>
      {t(holds ? 'check.holds' : 'check.differs')}
    </Badge>
  )
}
