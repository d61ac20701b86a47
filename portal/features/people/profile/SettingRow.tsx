import { Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Profile.module.css'

/** A setting with its control at the end, ruled off from the one before. */
export function SettingRow({ component = 'div', children }: { component?: 'div' | 'li'; children: ReactNode }) {
  return (
    <Flex
      component={component}
      rowGap="near"
      columnGap="md"
      wrap="wrap"
      align="center"
      justify="space-between"
      py="xs"
      className={`${classes.setting} ruled`}
    >
      {children}
    </Flex>
  )
}
