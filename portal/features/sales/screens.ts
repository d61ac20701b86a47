import { IconBuildingStore, IconChartBar, IconDeviceIpad, IconHome, IconReceipt2 } from '@tabler/icons-react'
import type { Screen } from '#portal/app/screen.ts'

export const salesScreens: readonly Screen[] = [
  {
    path: '/dashboard',
    needs: 'dashboard.read',
    load: () => import('#portal/features/sales/dashboard/DashboardScreen.tsx'),
    label: 'dashboard',
    words: ['dashboard'],
    menu: { icon: IconHome, key: 'd' },
  },
  {
    path: '/merchants-dashboard',
    needs: 'dashboard.read',
    load: () => import('#portal/features/sales/merchants-dashboard/MerchantsDashboardScreen.tsx'),
    label: 'merchantsDashboard',
    words: ['merchants-dashboard', 'vocabulary', 'list'],
    menu: { icon: IconBuildingStore },
  },
  {
    path: '/devices/$posId/transactions',
    tabOf: '/devices/$posId',
    needs: 'transaction.read',
    load: () => import('#portal/features/sales/transaction/MachineTransactions.tsx'),
    label: 'transactions',
    words: ['transaction', 'refund', 'vocabulary', 'list'],
  },
  {
    path: '/transactions/data',
    needs: 'transaction.read',
    load: () => import('#portal/features/sales/transaction/TransactionListScreen.tsx'),
    label: 'transactionData',
    words: ['transaction', 'refund', 'vocabulary', 'list'],
    menu: { icon: IconReceipt2, key: 't' },
  },
  {
    path: '/transactions/stats',
    needs: 'transaction.read',
    load: () => import('#portal/features/sales/transaction/StatsScreen.tsx'),
    label: 'transactionStats',
    words: ['transaction', 'vocabulary', 'list'],
    menu: { icon: IconChartBar, key: 's' },
  },
  {
    path: '/manage/clients/$clientId/transactions',
    tabOf: '/manage/clients/$clientId',
    needs: 'transaction.read',
    load: () => import('#portal/features/sales/transaction/ClientTransactions.tsx'),
    label: 'clientSales',
    words: ['transaction', 'refund', 'vocabulary', 'list'],
  },
  {
    path: '/manage/kiosks',
    needs: 'settings.read',
    load: () => import('#portal/features/sales/kiosk/KiosksScreen.tsx'),
    label: 'kiosks',
    words: ['kiosk', 'form'],
    menu: { icon: IconDeviceIpad },
  },
]
