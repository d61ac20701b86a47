import {
  IconBuilding,
  IconCash,
  IconDevices,
  IconHome,
  IconKey,
  IconPackage,
  IconReportAnalytics,
  IconRoute,
  IconServerCog,
  type TablerIcon,
} from '@tabler/icons-react'
import type { MenuGroup, Screen } from './app/screen.ts'
import { alarmsScreens } from './features/alarms/screens.ts'
import { auditsScreens } from './features/audits/screens.ts'
import { cashScreens } from './features/cash/screens.ts'
import { cashlessScreens } from './features/cashless/screens.ts'
import { catalogueScreens } from './features/catalogue/screens.ts'
import { commandsScreens } from './features/commands/screens.ts'
import { configurationsScreens } from './features/configurations/screens.ts'
import { importsScreens } from './features/imports/screens.ts'
import { insightScreens } from './features/insight/screens.ts'
import { keyPortalScreens } from './features/key-portal/screens.ts'
import { licencesScreens } from './features/licences/screens.ts'
import { machinesScreens } from './features/machines/screens.ts'
import { merchantsScreens } from './features/merchants/screens.ts'
import { peopleScreens } from './features/people/screens.ts'
import { platformScreens } from './features/platform/screens.ts'
import { salesScreens } from './features/sales/screens.ts'
import { stockScreens } from './features/stock/screens.ts'
import { updatesScreens } from './features/updates/screens.ts'
import { warehouseScreens } from './features/warehouse/screens.ts'
import { lazyPart } from './ui/part/lazyPart.tsx'

/** The side menu: its groups and their screens, in its order. */
const places: Record<MenuGroup, { icon: TablerIcon; paths: readonly Screen['path'][] }> = {
  today: { icon: IconHome, paths: ['/dashboard', '/merchants-dashboard'] },
  machines: {
    icon: IconDevices,
    paths: ['/devices/list', '/devices/map', '/alarms', '/devices/remote-commands', '/service-manager'],
  },
  rounds: {
    icon: IconRoute,
    paths: [
      '/devices/rounds',
      '/devices/routes',
      '/devices/visits',
      '/devices/manage-stock',
      '/stock-places',
      '/piece-losses',
      '/products-to-buy',
    ],
  },
  money: {
    icon: IconCash,
    paths: [
      '/transactions/data',
      '/transactions/reconciliation',
      '/devices/collections',
      '/devices/deposits',
      '/transactions/webpayment-orders',
    ],
  },
  reports: {
    icon: IconReportAnalytics,
    paths: ['/transactions/stats', '/distributor-kpis', '/transactions/reports', '/manage/data-retrieval-requests'],
  },
  customers: {
    icon: IconKey,
    paths: [
      '/customers-medias/medias',
      '/customers-medias/claims',
      '/customers-medias/refunds',
      '/customers-medias/customers',
      '/manage/cogeskey-portal',
      '/cogeskey/preview',
    ],
  },
  catalogue: {
    icon: IconPackage,
    paths: [
      '/manage/products',
      '/manage/planograms',
      '/devices/price-plans',
      '/devices/wrong-prices',
      '/manage/no-vend-profiles',
      '/devices/vp/configurations',
      '/manage/screen-configurations',
      '/manage/screen-configuration-whitelist',
      '/manage/screen-configuration/storageconfig',
      '/devices/firmware-rules',
      '/manage/cash-database',
      '/manage/cash-database-rules',
    ],
  },
  organisation: {
    icon: IconBuilding,
    paths: [
      '/manage/users',
      '/manage/clients',
      '/manage/groups',
      '/manage/merchant-settings',
      '/manage/merchant-alarms-settings',
      '/manage/web-payments',
      '/manage/webhooks',
      '/manage/kiosks',
      '/manage/imports',
      '/manage/audit-files',
      '/manage/audit-log',
    ],
  },
  platform: {
    icon: IconServerCog,
    paths: [
      '/admin-dashboard',
      '/admin/status',
      '/admin/merchants',
      '/admin/users',
      '/admin/machines-report',
      '/admin/firmwares',
      '/admin/troubleshooting-alarm',
      '/admin/sensors-thresholds-configuration',
      '/admin/webpayment-services',
      '/admin/blogposts',
      '/admin/dead-letters',
      '/admin/provider-log',
    ],
  },
}

/** Parts of an area that a screen of a lower area shows: the areas do not know each other. */
const parts: Record<string, Screen['parts']> = {
  '/devices/$posId/': [
    lazyPart(() => import('./features/sales/failed-vend/FailedVends.tsx'), ['transaction', 'refund', 'vocabulary']),
  ],
}

const declared: readonly Screen[] = [
  ...alarmsScreens,
  ...auditsScreens,
  ...cashScreens,
  ...cashlessScreens,
  ...catalogueScreens,
  ...commandsScreens,
  ...configurationsScreens,
  ...importsScreens,
  ...insightScreens,
  ...keyPortalScreens,
  ...licencesScreens,
  ...machinesScreens,
  ...merchantsScreens,
  ...peopleScreens,
  ...platformScreens,
  ...salesScreens,
  ...stockScreens,
  ...updatesScreens,
  ...warehouseScreens,
]

const all = declared.map((screen): Screen => {
  const ofOthers = parts[screen.path]
  return ofOthers ? { ...screen, parts: ofOthers } : screen
})

export interface GroupOfScreens {
  name: MenuGroup
  icon: TablerIcon
  screens: readonly Screen[]
}

/** The groups of the side menu with all their screens. */
export const menuGroups: readonly GroupOfScreens[] = Object.entries(places).map(([name, { icon, paths }]) => ({
  name: name as MenuGroup,
  icon,
  screens: paths.flatMap((place) => all.filter(({ path }) => path === place)),
}))

const inMenu = menuGroups.flatMap((group) => group.screens)

/** Every screen: those of the menu first, in its order. */
export const screens: readonly Screen[] = [...inMenu, ...all.filter((screen) => !inMenu.includes(screen))]

/** Every part in all its states, for developers of screens: it is not in the menu, and exists in development only. */
export const kit = {
  path: '/dev/kit',
  load: () => import('./features/platform/kit/KitScreen.tsx'),
  words: ['kit', 'vocabulary', 'form', 'list', 'editing'],
} as const

/** Redirects: to the first target that the user may see. Unknown addresses lead to the dashboard. */
export const redirects: Record<string, readonly string[]> = {
  '/': ['/dashboard'],
  '/devices': ['/devices/list'],
  '/transactions': ['/transactions/data'],
  '/customers-medias': ['/customers-medias/medias'],
  '/settings': ['/settings/profile'],
  '/admin': ['/admin/merchants'],
  '/manage': ['/manage/users', '/manage/groups', '/manage/clients'],
}
