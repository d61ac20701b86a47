import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { customers } from '#contract/cashless/customer.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { useMediaFilter } from '#portal/ui/list/filters/useMediaFilter.ts'
import { useRecordFilter } from '#portal/ui/list/filters/useRecordFilter.ts'
import type { Filter } from '#portal/ui/list/types.ts'

const rows = { list: customers.listCustomers, get: customers.getCustomer, param: 'customerId' }

/** Filters of transactions by medium and by customer; none on the page of either. */
export function useHolderFilters(isOfHolder: boolean): readonly Filter[] {
  const { t } = useTranslation('shell')
  const { isAll } = useMerchant()
  const hasMedia = useFeature('customerMedia') && !isAll && !isOfHolder
  const mayCustomers = useMay(customers.listCustomers) && hasMedia
  const media = useMediaFilter('mediaIds')
  const filter = { key: 'customerIds', kind: 'multi', name: t('screens.customer') } as const
  const customer = useRecordFilter(rows, filter, mayCustomers)
  return useMemo(
    () => [...(hasMedia ? [media] : []), ...(mayCustomers && customer.options?.length !== 0 ? [customer] : [])],
    [hasMedia, mayCustomers, media, customer],
  )
}
