import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type MerchantToday, merchantsToday } from '#contract/merchants-today.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Filter } from '../../ui/list/types.ts'
import { useMerchantTodayColumns } from './useMerchantTodayColumns.tsx'

const order = { ord: 'attention', ordType: 'DESC' } as const
const keyOf = ({ merchantId }: MerchantToday) => merchantId
const placeOf = ({ merchantId }: MerchantToday) => ({ to: '/dashboard', search: { merchant: merchantId } })
const toneOf = ({ blockingAlarms, machines }: MerchantToday) =>
  blockingAlarms > 0 ? 'crit' : machines.silent > 0 ? 'warn' : undefined

/** Merchants side by side, those that need somebody most first; each leads to its own dashboard. */
export default function MerchantsDashboardScreen() {
  const { t } = useTranslation('merchants-dashboard')
  const merchant = useMerchant()
  const columns = useMerchantTodayColumns()
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('search') }], [t])
  return (
    <ListScreen
      id="merchantsDashboard"
      title={t('title')}
      row={merchantsToday.listMerchantsToday}
      params={{ merchantId: merchant.id }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      toneOf={toneOf}
      exports="merchantsToday"
      empty={{ title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
