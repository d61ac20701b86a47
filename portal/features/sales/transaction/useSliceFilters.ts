import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { lacks } from '#contract/sales/transaction.ts'
import { productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf } from '#portal/app/search.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import type { CodeNames } from './useCodeNames.ts'

const hours = Array.from({ length: 24 }, (_, hour) => String(hour))

/** Filters by product, price list, hour and refund. Names of products and values of parameters come with a link, such as a report's. */
export function useSliceFilters(names: CodeNames): readonly Filter[] {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  const search = useAddressQuery()
  const { isAll } = useMerchant()
  const hasVending = useFeature('vending') && !isAll
  const hasMedia = useFeature('customerMedia') && !isAll
  const filtersText = JSON.stringify(['products', 'parameter', 'parameterValues'].map((key) => manyOf(search, key)))
  return useMemo(() => {
    const [products = [], parameter = [], values = []] = JSON.parse(filtersText) as string[][]
    const free = (key: string, kind: 'multi' | 'select', name: string, options: readonly string[]): Filter[] =>
      options.length === 0
        ? []
        : [{ key, kind, name, isFree: true, options: options.map((value) => ({ value, label: value })) }]
    return [
      ...(hasVending
        ? [
            ...free('products', 'multi', t('transaction:column.product'), products),
            anyOf('productTypes', t('transaction:filter.productType'), Object.keys(productTypes), (type) =>
              t(`vocabulary:productType.${productTypes[type as keyof typeof productTypes]}`),
            ),
            ...free('parameter', 'select', t('transaction:filter.parameter'), parameter),
            ...free('parameterValues', 'multi', parameter[0] ?? t('transaction:filter.parameter'), values),
            anyOf('priceTables', t('transaction:fact.table'), Object.values(priceTables), (code) =>
              names.priceTable(code),
            ),
          ]
        : []),
      anyOf('hours', t('transaction:filter.hour'), hours, (hour) => `${hour.padStart(2, '0')}:00`),
      anyOf('without', t('transaction:filter.without'), lacks, (lack) => t(`transaction:lack.${lack}`)),
      ...(hasMedia
        ? [
            whether(
              'refunded',
              t('transaction:filter.refunded'),
              t('transaction:refundedOnly'),
              t('transaction:refundedNot'),
            ),
          ]
        : []),
    ]
  }, [t, names, hasVending, hasMedia, filtersText])
}
