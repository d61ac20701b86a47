import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { transactions } from '#contract/sales/transaction.ts'
import { periodOf } from '#domain/time/period.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf } from '#portal/app/search.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { periodIn } from '../../../ui/time/periodIn.ts'

/** A filter by products sold in the period of the address, by name; none under all merchants. */
export function useProductFilter(): readonly Filter[] {
  const { t } = useTranslation('transaction')
  const { id: merchantId, isAll, timeZone } = useMerchant()
  const hasVending = useFeature('vending') && !isAll
  const search = useAddressQuery()
  const [first = 'last7Days', last] = periodIn(search)
  const period =
    last === undefined ? periodOf(first as 'today', new Date(), timeZone) : { startDate: first, endDate: last }
  const { data } = useQuery({
    ...queryOf(transactions.productsUsed, { params: { merchantId }, query: period }),
    enabled: hasVending,
    placeholderData: keepPreviousData,
  })
  const productsText = JSON.stringify(manyOf(search, 'products'))
  return useMemo(() => {
    const sold = (data ?? []).flatMap(({ product }) => (product === null ? [] : [product]))
    const names = [...new Set([...sold, ...(JSON.parse(productsText) as string[])])]
    if (!hasVending || names.length === 0) return []
    const options = names.map((value) => ({ value, label: value }))
    return [{ key: 'products', kind: 'multi', name: t('transaction:column.product'), isFree: true, options }]
  }, [t, hasVending, data, productsText])
}
