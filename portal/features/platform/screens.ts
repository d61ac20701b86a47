import type { Screen } from '#portal/app/screen.ts'
import { fieldWords } from './change-log/fieldWords.ts'

/** The log covers every kind of record. */
const logWords = [
  ...new Set([
    ...fieldWords.map(([file]) => file),
    'settings',
    'user',
    'alarm-setting',
    'remote-command',
    'machine-event',
    'vocabulary',
    'list',
  ]),
]

export const platformScreens: readonly Screen[] = [
  {
    path: '/manage/audit-log',
    needs: 'changeLog.read',
    load: () => import('#portal/features/platform/change-log/ChangeLogScreen.tsx'),
    label: 'auditLog',
    words: logWords,
    menu: {},
  },
  {
    path: '/admin/status',
    needs: 'stats.read',
    load: () => import('#portal/features/platform/status/StatusScreen.tsx'),
    label: 'platformStatus',
    words: ['platform-status'],
    menu: {},
  },
  {
    path: '/admin/dead-letters',
    needs: 'deadLetter.read',
    load: () => import('#portal/features/platform/dead-letter/DeadLetterListScreen.tsx'),
    label: 'deadLetters',
    words: ['dead-letter', 'list'],
    menu: { key: 'l' },
  },
  {
    path: '/admin/provider-log',
    needs: 'providerLog.read',
    load: () => import('#portal/features/platform/change-log/ProviderLogScreen.tsx'),
    label: 'providerLog',
    words: logWords,
    menu: {},
  },
]
