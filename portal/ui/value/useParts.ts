import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'

/**
 * Numbers of several kinds as a part of a sentence, in the words `fact` of a noun: "2 sold out, 1 low". Zeros are left
 * out.
 */
export function useParts(words: 'stock' | 'price') {
  const { t } = useTranslation(words)
  const format = useFormat()
  return (counts: Record<string, number>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([key, count]) => t(`fact.${key}`, { count, number: format.number(count) }))
      .join(', ')
}
