import { Group } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Opener } from '../dialog/Opener.tsx'
import classes from './PeriodChoice.module.css'

interface Props extends Pick<ComponentProps<typeof Opener>, 'label' | 'name' | 'children'> {
  position?: ComponentProps<typeof Opener>['position']
  /** Whether something is chosen, which is marked. */
  isUsed?: boolean
}

/** A framed button that names a choice, such as a period, and opens it. */
export function ChoiceButton({ position = 'bottom-start', isUsed, ...opener }: Props) {
  return (
    <Group
      component="span"
      gap={0}
      wrap="nowrap"
      display="inline-flex"
      maw="100%"
      mih={30}
      bd="1px solid var(--line-strong)"
      bdrs="md"
      bg="var(--surface)"
      className={classes.choice}
      data-used={isUsed}
    >
      <Opener className={`${classes.open} lights inks`} position={position} padding={0} {...opener} />
    </Group>
  )
}
