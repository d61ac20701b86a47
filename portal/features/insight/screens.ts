import { IconChartBar, IconDatabaseExport, IconDeviceTablet, IconGauge, IconReportAnalytics } from '@tabler/icons-react'
import type { Screen } from '#portal/app/screen.ts'

export const insightScreens: readonly Screen[] = [
  {
    path: '/distributor-kpis',
    needs: 'machine.read',
    load: () => import('#portal/features/insight/distributor-kpis/DistributorKpisScreen.tsx'),
    label: 'distributorKpis',
    words: ['distributor-kpis', 'kpi', 'transaction', 'list'],
    menu: { icon: IconGauge },
  },
  {
    path: '/devices/$posId/kpis',
    tabOf: '/devices/$posId',
    needs: 'machine.read',
    load: () => import('#portal/features/insight/kpi/KpisTab.tsx'),
    label: 'kpis',
    words: ['kpi', 'transaction', 'vocabulary'],
  },
  {
    path: '/transactions/reports',
    needs: 'report.read',
    load: () => import('#portal/features/insight/report/ReportsScreen.tsx'),
    label: 'reports',
    words: ['report', 'transaction', 'list'],
    menu: { icon: IconReportAnalytics },
  },
  {
    path: '/transactions/reports/result',
    needs: 'report.read',
    load: () => import('#portal/features/insight/report/ReportScreen.tsx'),
    label: 'report',
    words: ['report', 'transaction', 'vocabulary', 'machine-event', 'refund', 'list'],
    parent: '/transactions/reports',
  },
  {
    path: '/admin-dashboard',
    needs: 'stats.read',
    load: () => import('#portal/features/insight/admin-dashboard/AdminDashboardScreen.tsx'),
    label: 'adminDashboard',
    words: ['admin-dashboard', 'vocabulary'],
    menu: { icon: IconChartBar },
  },
  {
    path: '/manage/data-retrieval-requests',
    needs: 'dataRetrieval.read',
    load: () => import('#portal/features/insight/data-retrieval-request/DataRetrievalListScreen.tsx'),
    label: 'dataRetrievalRequests',
    words: ['data-retrieval-request', 'list', 'editing', 'errors'],
    menu: { icon: IconDatabaseExport },
  },
  {
    path: '/manage/data-retrieval-requests-create',
    needs: 'dataRetrieval.write',
    load: () => import('#portal/features/insight/data-retrieval-request/DataRetrievalCreateScreen.tsx'),
    label: 'newDataRetrievalRequest',
    words: ['data-retrieval-request', 'form', 'errors', 'assigned'],
    parent: '/manage/data-retrieval-requests',
  },
  {
    path: '/admin/machines-report',
    needs: 'stats.read',
    load: () => import('#portal/features/insight/machines-report/MachinesReportScreen.tsx'),
    label: 'machinesReport',
    words: ['machines-report', 'machine-act', 'vocabulary', 'list'],
    menu: { icon: IconDeviceTablet },
  },
]
