import { useTranslation } from 'react-i18next'
import { priceTables } from '#contract/vocabulary/transaction.ts'

/** Price lists of an audit by the names that transactions call them by; a number that has none is told as it came. */
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
