import type { Screen } from '#portal/app/screen.ts'

export const auditsScreens: readonly Screen[] = [
  {
    path: '/devices/$posId/audits',
    tabOf: '/devices/$posId',
    needs: 'audit.read',
    load: () => import('#portal/features/audits/audit/AuditsTab.tsx'),
    label: 'audits',
    words: ['audit', 'audit-warning', 'reconciliation', 'machine-event', 'vocabulary', 'list'],
  },
  {
    path: '/devices/$posId/audits/days',
    tabOf: '/devices/$posId',
    needs: 'audit.read',
    load: () => import('#portal/features/audits/audit/reconciliation/MachineDays.tsx'),
    label: 'auditDays',
    words: ['reconciliation', 'list'],
  },
  {
    path: '/transactions/reconciliation',
    needs: 'audit.read',
    load: () => import('#portal/features/audits/audit/reconciliation/DaysScreen.tsx'),
    label: 'reconciliation',
    words: ['reconciliation', 'list'],
    menu: { key: 'r' },
  },
  {
    path: '/manage/audit-files',
    needs: 'audit.upload',
    load: () => import('#portal/features/audits/audit-file/AuditFilesScreen.tsx'),
    label: 'auditFiles',
    words: ['audit-file', 'audit-warning', 'reconciliation', 'assigned', 'form', 'errors'],
    menu: {},
  },
]
