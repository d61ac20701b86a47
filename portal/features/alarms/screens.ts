import type { Screen } from '#portal/app/screen.ts'

export const alarmsScreens: readonly Screen[] = [
  {
    path: '/devices/$posId/pos-alarms',
    tabOf: '/devices/$posId',
    needs: 'alarm.read',
    load: () => import('#portal/features/alarms/alarm/MachineAlarms.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary', 'list', 'editing'],
  },
  {
    path: '/alarms',
    needs: 'alarm.read',
    load: () => import('#portal/features/alarms/alarm/AlarmListScreen.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary', 'list', 'editing'],
    menu: {
      key: 'a',
      count: () => import('#portal/features/alarms/alarm/BlockingCount.tsx'),
    },
  },
  {
    path: '/manage/clients/$clientId/pos-alarms',
    tabOf: '/manage/clients/$clientId',
    needs: 'alarm.read',
    load: () => import('#portal/features/alarms/alarm/ClientAlarms.tsx'),
    label: 'alarms',
    words: ['alarm', 'machine-event', 'vocabulary', 'list', 'editing'],
  },
  {
    path: '/manage/merchant-alarms-settings',
    needs: 'settings.read',
    load: () => import('#portal/features/alarms/alarm-setting/AlarmSettingListScreen.tsx'),
    label: 'alarmSettings',
    words: ['alarm-setting', 'machine-event', 'vocabulary', 'list'],
    menu: {},
  },
  {
    path: '/manage/merchant-alarms-settings/$code',
    needs: 'settings.read',
    load: () => import('#portal/features/alarms/alarm-setting/AlarmSettingScreen.tsx'),
    label: 'alarmSetting',
    words: ['alarm-setting', 'machine-event', 'vocabulary', 'editing', 'form'],
    parent: '/manage/merchant-alarms-settings',
  },
  {
    path: '/admin/troubleshooting-alarm',
    needs: 'troubleshooting.write',
    load: () => import('#portal/features/alarms/troubleshooting/TroubleshootingListScreen.tsx'),
    label: 'troubleshooting',
    words: ['troubleshooting', 'machine-event', 'vocabulary', 'list'],
    menu: { key: 'h' },
  },
  {
    path: '/admin/troubleshooting-alarm/$code',
    needs: 'troubleshooting.write',
    load: () => import('#portal/features/alarms/troubleshooting/TroubleshootingScreen.tsx'),
    label: 'howToRepair',
    words: ['troubleshooting', 'machine-event', 'vocabulary', 'editing', 'form'],
    parent: '/admin/troubleshooting-alarm',
  },
]
