import { Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Stock.module.css'

/** A level as words, then its bar and what else is beside it. */
export function LevelLine({ children }: { children: ReactNode }) {
  return (
    <Flex
      component="span"
      rowGap="hair"
      columnGap="xs"
      wrap="wrap"
      align="center"
      justify="flex-end"
      display="inline-flex"
      className={classes.level}
    >
      {children}
    </Flex>
  )
}
