import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type MerchantOfDashboard, merchantsDashboard } from '#contract/sales/merchants-dashboard.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { columns } from './dashboardColumns.tsx'

const order = { ord: 'attention', ordType: 'DESC' } as const
const keyOf = ({ merchantId }: MerchantOfDashboard) => merchantId
const placeOf = ({ merchantId }: MerchantOfDashboard) => placeInMerchant(merchantId, { to: '/dashboard' })
const toneOf = ({ blockingAlarms, machines }: MerchantOfDashboard) =>
  blockingAlarms > 0 ? 'crit' : machines.silent > 0 ? 'warn' : undefined

/** All merchants, sorted by need for attention; each links to its own dashboard. */
export default function MerchantsDashboardScreen() {
  const { t } = useTranslation('merchants-dashboard')
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('search') }], [t])
  return (
    <ListScreen
      id="merchantsDashboard"
      title={t('title')}
      row={merchantsDashboard.listMerchantsDashboard}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      toneOf={toneOf}
      exports="merchantsDashboard"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
