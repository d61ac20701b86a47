import {
  IconArrowsExchange,
  IconBell,
  IconBuildingStore,
  IconChartBar,
  IconDeviceTablet,
  IconHome,
  IconMailOff,
  IconReceipt2,
  IconSend,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Screen } from './app/screen.ts'

/** Entries of the menu that hold several screens, by the key of their name under `sections` in shell.json. */
export const sections: Record<string, { icon: TablerIcon }> = {
  transactions: { icon: IconArrowsExchange },
}

export const screens: readonly Screen[] = [
  {
    path: '/dashboard',
    needs: 'dashboard.read',
    load: () => import('./features/dashboard/DashboardScreen.tsx'),
    label: 'dashboard',
    words: ['dashboard', 'machine-event', 'vocabulary'],
    menu: { group: 'main', icon: IconHome, key: 'd' },
  },
  {
    path: '/devices/list',
    needs: 'machine.read',
    load: () => import('./features/machine/MachineListScreen.tsx'),
    label: 'machines',
    words: ['machine', 'association', 'machine-event', 'vocabulary', 'list', 'editing'],
    menu: { group: 'main', icon: IconDeviceTablet, key: 'm' },
  },
  {
    path: '/devices/$posId',
    needs: 'machine.read',
    load: () => import('./features/machine/MachineScreen.tsx'),
    label: 'machine',
    words: ['machine', 'alarm', 'audit', 'machine-event', 'vocabulary', 'editing'],
    parent: '/devices/list',
  },
  {
    path: '/devices/$posId/',
    tabOf: '/devices/$posId',
    needs: 'machine.read',
    load: () => import('./features/machine/OverviewTab.tsx'),
    label: 'overview',
    words: ['machine', 'audit', 'demo', 'machine-event', 'vocabulary'],
  },
  {
    path: '/devices/$posId/transactions',
    tabOf: '/devices/$posId',
    needs: 'transaction.read',
    load: () => import('./features/transaction/MachineTransactions.tsx'),
    label: 'transactions',
    words: ['transaction', 'vocabulary', 'list'],
  },
  {
    path: '/devices/$posId/pos-alarms',
    tabOf: '/devices/$posId',
    needs: 'alarm.read',
    load: () => import('./features/alarm/MachineAlarms.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary', 'list', 'editing'],
  },
  {
    path: '/devices/$posId/remote-commands',
    tabOf: '/devices/$posId',
    needs: 'remoteCommand.read',
    load: () => import('./features/remote-command/MachineCommands.tsx'),
    label: 'commands',
    words: ['remote-command', 'vocabulary', 'list'],
  },
  {
    path: '/devices/$posId/audits',
    tabOf: '/devices/$posId',
    needs: 'audit.read',
    load: () => import('./features/audit/AuditsTab.tsx'),
    label: 'audits',
    words: ['audit', 'audit-warning', 'machine-event', 'vocabulary', 'list'],
  },
  {
    path: '/devices/$posId/details',
    tabOf: '/devices/$posId',
    needs: 'machine.read',
    load: () => import('./features/machine/DetailsTab.tsx'),
    label: 'details',
    words: ['machine', 'vocabulary', 'editing', 'form'],
  },
  {
    path: '/devices/$posId/notes',
    tabOf: '/devices/$posId',
    needs: 'note.read',
    load: () => import('./features/note/NotesTab.tsx'),
    label: 'notes',
    words: ['note', 'editing', 'list', 'form'],
  },
  {
    path: '/devices/$posId/notes/create',
    tabOf: '/devices/$posId',
    needs: 'note.write',
    load: () => import('./features/note/NotesTab.tsx'),
    label: 'newNote',
    words: ['note', 'editing', 'list', 'form'],
  },
  {
    path: '/alarms',
    needs: 'alarm.read',
    load: () => import('./features/alarm/AlarmListScreen.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary', 'list', 'editing'],
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
    words: ['transaction', 'vocabulary', 'list'],
    menu: { group: 'main', icon: IconReceipt2, key: 't', section: 'transactions' },
  },
  {
    path: '/transactions/stats',
    needs: 'transaction.read',
    load: () => import('./features/transaction/StatsScreen.tsx'),
    label: 'transactionStats',
    words: ['transaction', 'vocabulary', 'list'],
    menu: { group: 'main', icon: IconChartBar, key: 's', section: 'transactions' },
  },
  {
    path: '/devices/remote-commands',
    needs: 'remoteCommand.write',
    load: () => import('./features/remote-command/RemoteCommandsScreen.tsx'),
    label: 'commands',
    words: ['remote-command', 'vocabulary', 'list', 'form'],
    menu: { group: 'main', icon: IconSend, key: 'c' },
  },
  {
    path: '/admin/merchants',
    needs: 'merchant.admin',
    load: () => import('./features/admin/MerchantListScreen.tsx'),
    label: 'merchants',
    words: ['admin', 'list'],
    menu: { group: 'admin', icon: IconBuildingStore, key: 'o' },
  },
  {
    path: '/admin/merchants/$merchantId/setting',
    needs: 'merchant.admin',
    load: () => import('./features/admin/MerchantSettingScreen.tsx'),
    label: 'merchantSetting',
    words: ['admin'],
    parent: '/admin/merchants',
  },
  {
    path: '/admin/dead-letters',
    needs: 'deadLetter.read',
    load: () => import('./features/dead-letter/DeadLetterListScreen.tsx'),
    label: 'deadLetters',
    words: ['dead-letter', 'list'],
    menu: { group: 'admin', icon: IconMailOff, key: 'l' },
  },
  {
    path: '/settings/profile',
    needs: 'profile.read',
    load: () => import('./features/profile/ProfileScreen.tsx'),
    label: 'profile',
    words: ['profile', 'editing', 'form'],
  },
]

/** Every part in all its states, for those who build screens: it stands in no menu, and outside of development it does not exist. */
export const kit = {
  path: '/dev/kit',
  load: () => import('./features/kit/KitScreen.tsx'),
  words: ['kit', 'vocabulary', 'form'],
} as const

/** Addresses that lead to another. Unknown ones lead to the dashboard. */
export const redirects: Record<string, string> = {
  '/': '/dashboard',
  '/devices': '/devices/list',
  '/transactions': '/transactions/data',
  '/settings': '/settings/profile',
  '/admin': '/admin/merchants',
}
