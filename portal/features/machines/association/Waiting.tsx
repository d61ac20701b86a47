import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Association.module.css'

/** Something at the machine is awaited. */
export const Waiting = ({ children }: { children: ReactNode }) => (
  <Group component="p" gap="near" wrap="nowrap" display="inline-flex" c="dimmed" fz="sm" role="status">
    <span className={classes.pulse} aria-hidden />
    {children}
  </Group>
)
