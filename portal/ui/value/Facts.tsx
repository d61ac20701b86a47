import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Facts.module.css'

export interface Fact {
  name: string
  /** Null or undefined is shown as not reported. */
  value: ReactNode
}

/** Names and their values, side by side as far as they fit; `unknown` replaces missing values. */
export function Facts({ facts, unknown = '–' }: { facts: readonly Fact[]; unknown?: string }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>
            {value ?? (
              <Text span c="faint">
                {unknown}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
