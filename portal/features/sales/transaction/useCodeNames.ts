import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'

const named = (table: Record<number, string>, code: number) => (Object.hasOwn(table, code) ? table[code] : undefined)

/** Names of numeric codes in transactions; an unknown number is shown as it is. */
export function useCodeNames() {
  const { t } = useTranslation(['transaction', 'vocabulary'])
  return useMemo(() => {
    const nameOf = (table: Record<number, string>, prefix: string) => (code: number) => {
      const name = named(table, code)
      return name ? t(`vocabulary:${prefix}.${name}`) : t('transaction:code', { code })
    }
    return {
      type: nameOf(transactionTypes, 'transactionType'),
      mediaType: nameOf(mediaTypes, 'mediaType'),
      mediaSource: nameOf(mediaSources, 'mediaSource'),
      priceTable: nameOf(priceTables, 'priceTable'),
    }
  }, [t])
}
export type CodeNames = ReturnType<typeof useCodeNames>
