import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { type ImportKind, importKindOf } from '#contract/imports/import-kinds.ts'
import { productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { languageNames } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'

const mediaNames = new Map<unknown, string>(Object.entries(mediaTypes).map(([name, code]) => [code, name]))

/** Writes the value of a field of an import, amounts in the merchant's currency. */
export function useFieldValue(kind: ImportKind, merchantId: string) {
  const { t } = useTranslation('vocabulary')
  const format = useFormat()
  const { currency } = useMerchantOf(merchantId)
  return useCallback(
    (name: string, value: string | number | null): string => {
      const field = importKindOf(kind).fields[name]
      if (value === null || value === '' || !field) return String(value ?? '')
      switch (field.is) {
        case 'amount':
          return currency ? format.money(Number(value), currency) : String(value)
        case 'count':
        case 'percent':
          return format.number(Number(value), { maximumFractionDigits: 2 })
        case 'day':
          return format.day(String(value))
        case 'country':
          return new Intl.DisplayNames(format.locale, { type: 'region' }).of(String(value)) ?? String(value)
        case 'word': {
          if (field.of === 'language') return languageNames[value as keyof typeof languageNames] ?? String(value)
          const code = String(value)
          const word =
            field.of === 'productType'
              ? productTypes[code as keyof typeof productTypes]
              : field.of === 'mediaType'
                ? mediaNames.get(value)
                : code
          return t(`${field.of}.${word}`)
        }
        default:
          return String(value)
      }
    },
    [t, format, currency, kind],
  )
}
