import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './Tabs.module.css'

export interface Tab {
  /** The route of a screen with `tabOf`; the page's own address is its first tab. */
  to: string
  name: string
  count?: ReactNode
}

/** The tabs that a row has no room for. */
export default function MoreTabs({ tabs, name }: { tabs: readonly Tab[]; name: string }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.others}>
          {name}
          <IconChevronDown size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {tabs.map(({ to, name: tabName, count }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            params={((params: object) => params) as never}
            search={(({ merchant }: { merchant?: string }) => ({ merchant })) as never}
          >
            {tabName}
            {count !== undefined && <span className={classes.count}>{count}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
