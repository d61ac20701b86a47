import { IconArrowsExchange, IconBell, IconChartBar, IconReceipt2, type TablerIcon } from '@tabler/icons-react'
import type { Screen } from './app/screen.ts'

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
