import { useTranslation } from 'react-i18next'

/** A word of the vocabulary by its registry: `word('transactionType', transactionTypes, 14)`. A number nobody named is shown as it came. */
export function useWord() {
  const { t } = useTranslation('vocabulary')
  return (noun: string, registry: Readonly<Record<number, string>>, code: number) => {
    const name = registry[code]
    return name ? t(`${noun}.${name}`) : String(code)
  }
}
