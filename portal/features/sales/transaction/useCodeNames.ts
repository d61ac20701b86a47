import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Numbers, nameOf } from '#contract/vocabulary/numbers.ts'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'

/** Names of numeric codes in transactions; an unknown number is shown as it is. */
export function useCodeNames() {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  return useMemo(() => {
    const wordOf = (numbers: Numbers, prefix: string) => (code: number) => {
      const name = nameOf(numbers, code)
      return name ? t(`vocabulary:${prefix}.${name}`) : t('transaction:code', { code })
    }
    return {
      type: wordOf(transactionTypes, 'transactionType'),
      mediaType: wordOf(mediaTypes, 'mediaType'),
      mediaSource: wordOf(mediaSources, 'mediaSource'),
      priceTable: wordOf(priceTables, 'priceTable'),
    }
  }, [t])
}
export type CodeNames = ReturnType<typeof useCodeNames>
