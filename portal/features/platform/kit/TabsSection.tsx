import { useTranslation } from 'react-i18next'
import { DetailTabs } from '#portal/ui/page/DetailTabs.tsx'

const places = { '/devices/list': 'machines', '/alarms': 'alarms', '/manage/users': 'users' } as const

/** The tabs of a page: the open tab with its own pages below, another with a count. */
export function TabsSection() {
  const { t } = useTranslation(['kit', 'shell'])
  const [first, ...others] = Object.entries(places).map(([to, label], index) => ({
    to,
    name: t(`shell:screens.${label}`),
    ...(index === 1 && { count: 7 }),
  }))
  const open = { to: '/dev/kit', name: t('kit:title') }
  return <DetailTabs tabs={[{ ...open, pages: first ? [open, first] : [open] }, ...others]} />
}
