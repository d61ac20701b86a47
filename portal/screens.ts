import { IconArrowsExchange, IconBell, IconChartBar, IconReceipt2, type TablerIcon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Permission } from '#contract/access.ts'

/** Functions a merchant may have or not; one that is not configured is off. */
export type Feature =
  | 'advancedAlarms'
  | 'cashDatabaseUpdate'
  | 'customerMedia'
  | 'firmwareUpdate'
  | 'vending'
  | 'network'
  | 'productStock'
  | 'remoteConfigurations'
  | 'transactionDetails'
  | 'webPayments'

export type MenuGroup = 'main' | 'manage' | 'admin'

/** A screen: routes, menu, guards, breadcrumbs and the command palette all come from these rows. */
export interface Screen {
  /** The address; names start with `$`. */
  path: `/${string}`
  needs: Permission
  load: () => Promise<{ default: ComponentType }>
  /** Key of its name under `screens` in shell.json. */
  label: string
  /** Language files it speaks from, fetched beside its code. */
  words: readonly string[]
  /** Its place in the side menu; a screen without one is reached from others. */
  menu?: {
    group: MenuGroup
    icon: TablerIcon
    /** The collapsible entry it stands in, a row of `sections`. */
    section?: string
    /** Pressed after `g`, leads here. */
    key?: string
    /** A small number beside the name. */
    count?: () => Promise<{ default: ComponentType }>
  }
  /** The screen above it, for breadcrumbs. */
  parent?: string
  /** The screen whose page it is a tab of; that one renders an Outlet. */
  tabOf?: string
  feature?: Feature
}

/** Entries of the menu that hold several screens, by the key of their name under `sections` in shell.json. */
export const sections: Record<string, { icon: TablerIcon }> = {
  transactions: { icon: IconArrowsExchange },
}

export const screens: readonly Screen[] = [
  {
    path: '/alarms',
    needs: 'alarm.read',
    load: () => import('./features/alarm/AlarmListScreen.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary'],
    menu: {
      group: 'main',
      icon: IconBell,
      key: 'a',
      count: () => import('./features/alarm/BlockingCount.tsx'),
    },
  },
  {
    path: '/transactions/data',
    needs: 'transaction.read',
    load: () => import('./features/transaction/TransactionListScreen.tsx'),
    label: 'transactionData',
    words: ['transaction', 'vocabulary'],
    menu: { group: 'main', icon: IconReceipt2, key: 't', section: 'transactions' },
  },
  {
    path: '/transactions/stats',
    needs: 'transaction.read',
    load: () => import('./features/transaction/StatsScreen.tsx'),
    label: 'transactionStats',
    words: ['transaction', 'vocabulary'],
    menu: { group: 'main', icon: IconChartBar, key: 's', section: 'transactions' },
  },
]

/** Addresses that lead to another. Unknown ones lead to the dashboard. */
export const redirects: Record<string, string> = {
  '/': '/dashboard',
  '/devices': '/devices/list',
  '/transactions': '/transactions/data',
  '/settings': '/settings/profile',
}
