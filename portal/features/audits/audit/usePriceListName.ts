import { useTranslation } from 'react-i18next'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { priceTableOf } from '#domain/audits/eva-dts/price-lists.ts'

/**
 * Names of an audit's price lists: the number in the file, with the price table for which it counts. A list without a payment device (LA1)
 * has its number alone, but for the base list.
 */
export function usePriceListName({ selections }: Pick<AuditContent, 'selections'>) {
  const { t } = useTranslation(['audit', 'vocabulary'])
  const tableOf = priceTableOf(selections)
  return (list: string | null, device: string | null = null) => {
    const table = tableOf(device, list)
    if (table !== undefined && nameOf(priceTables, table) !== undefined)
      return `${list} · ${t(`vocabulary:priceTable.${nameOf(priceTables, table)}`)}`
    return list !== null && Number(list) === 0 ? `${list} · ${t('audit:baseList')}` : list
  }
}
