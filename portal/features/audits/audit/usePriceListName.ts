import { useTranslation } from 'react-i18next'
import { priceTables } from '#contract/vocabulary/transaction.ts'

/** Names of an audit's price lists, as transactions use them; an unknown number is shown as reported. */
export function usePriceListName() {
  const { t } = useTranslation(['audit', 'vocabulary'])
  return (list: string | null) => {
    const number = list === null ? Number.NaN : Number(list)
    if (number === 0) return `${list} · ${t('audit:baseList')}`
    return number in priceTables
      ? `${list} · ${t(`vocabulary:priceTable.${priceTables[number as keyof typeof priceTables]}`)}`
      : list
  }
}
