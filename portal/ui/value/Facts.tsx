import { Box, SimpleGrid, Text } from '@mantine/core'
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
    <SimpleGrid component="dl" minColWidth={190} spacing="lg" verticalSpacing="sm" className={classes.facts}>
      {facts.map(({ name, value }) => (
        <Box key={name} miw={0}>
          <Box component="dt" c="dimmed" fz="fine">
            {name}
          </Box>
          <Box component="dd" mt={1} className="breaks">
            {value ?? (
              <Text span c="faint">
                {unknown}
              </Text>
            )}
          </Box>
        </Box>
      ))}
    </SimpleGrid>
  )
}
