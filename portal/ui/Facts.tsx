import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Facts.module.css'

export interface Fact {
  name: string
  /** What is null or undefined is told as not reported. */
  value: ReactNode
}

/** Names and their values, as many side by side as there is room for. */
export function Facts({ facts, unknown }: { facts: readonly Fact[]; unknown?: string }) {
  const { t } = useTranslation('ui')
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value ?? <span className={classes.unknown}>{unknown ?? t('unknown')}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
