import { useTranslation } from 'react-i18next'
import { DetailTabs } from '../../ui/DetailTabs.tsx'

/** In the order of the row; there are more than it has room for. */
const places = {
  '/devices/list': 'machines',
  '/alarms': 'alarms',
  '/transactions/data': 'transactionData',
  '/transactions/stats': 'transactionStats',
  '/transactions/reconciliation': 'reconciliation',
  '/devices/remote-commands': 'commands',
  '/manage/users': 'users',
  '/manage/groups': 'groups',
  '/manage/clients': 'clients',
  '/manage/merchant-settings': 'merchantSettings',
  '/settings/profile': 'profile',
} as const

/** The parts of a page: the one that is open, one with a count, and a menu of those for which there is no room. */
export function TabsSection() {
  const { t } = useTranslation(['kit', 'shell'])
  const others = Object.entries(places).map(([to, label], index) => ({
    to,
    name: t(`shell:screens.${label}`),
    ...(index === 1 && { count: 7 }),
  }))
  return <DetailTabs tabs={[{ to: '/dev/kit', name: t('kit:title') }, ...others]} moreTabs={t('kit:tabs.more')} />
}
