import { IconArrowsExchange, IconKey, type TablerIcon } from '@tabler/icons-react'
import type { Screen } from './app/screen.ts'
import { alarmsScreens } from './features/alarms/screens.ts'
import { auditsScreens } from './features/audits/screens.ts'
import { cashScreens } from './features/cash/screens.ts'
import { cashlessScreens } from './features/cashless/screens.ts'
import { catalogueScreens } from './features/catalogue/screens.ts'
import { commandsScreens } from './features/commands/screens.ts'
import { configurationsScreens } from './features/configurations/screens.ts'
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

/** Entries of the menu that hold several screens, by the key of their name under `sections` in shell.json. */
export const sections: Record<string, { icon: TablerIcon }> = {
  transactions: { icon: IconArrowsExchange },
  customersMedias: { icon: IconKey },
}

/** The screens of the side menu, in its order; each is declared in its area. */
const inMenu = [
  '/dashboard',
  '/merchants-dashboard',
  '/distributor-kpis',
  '/devices/list',
  '/devices/firmware-rules',
  '/alarms',
  '/devices/rounds',
  '/devices/manage-stock',
  '/devices/wrong-prices',
  '/devices/price-plans',
  '/transactions/data',
  '/transactions/stats',
  '/transactions/reports',
  '/transactions/reconciliation',
  '/transactions/webpayment-orders',
  '/customers-medias/medias',
  '/customers-medias/refunds',
  '/customers-medias/claims',
  '/customers-medias/customers',
  '/devices/collections',
  '/devices/remote-commands',
  '/devices/vp/configurations',
  '/admin-dashboard',
  '/service-manager',
  '/manage/users',
  '/manage/groups',
  '/manage/clients',
  '/manage/products',
  '/manage/planograms',
  '/manage/no-vend-profiles',
  '/manage/screen-configurations',
  '/manage/screen-configuration-whitelist',
  '/manage/screen-configuration/storageconfig',
  '/manage/cogeskey-portal',
  '/cogeskey/preview',
  '/manage/cash-database',
  '/manage/cash-database-rules',
  '/manage/merchant-settings',
  '/manage/webhooks',
  '/manage/web-payments',
  '/manage/merchant-alarms-settings',
  '/manage/data-retrieval-requests',
  '/manage/audit-log',
  '/admin/merchants',
  '/admin/machines-report',
  '/admin/users',
  '/admin/firmwares',
  '/admin/troubleshooting-alarm',
  '/admin/sensors-thresholds-configuration',
  '/admin/webpayment-services',
  '/admin/blogposts',
  '/admin/status',
  '/admin/dead-letters',
  '/admin/provider-log',
]

const all: readonly Screen[] = [
  ...alarmsScreens,
  ...auditsScreens,
  ...cashScreens,
  ...cashlessScreens,
  ...catalogueScreens,
  ...commandsScreens,
  ...configurationsScreens,
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
]

/** Every screen: those of the menu first, in its order. */
export const screens: readonly Screen[] = [
  ...inMenu.flatMap((place) => all.filter(({ path }) => path === place)),
  ...all.filter(({ path }) => !inMenu.includes(path)),
]

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
