import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MerchantFields } from '#contract/merchants/merchant-edit.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { type Language, languageNames } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { fieldNames } from './merchantValues.ts'

/** Names and values of a merchant's fields. */
export function useMerchantWords() {
  const { t } = useTranslation(['merchant', 'shell'])
  const format = useFormat()
  return useMemo(() => {
    const names = Object.fromEntries(fieldNames.map((name) => [name, t(`merchant:field.${name}`)])) as Record<
      keyof MerchantFields,
      string
    >
    const countries = new Intl.DisplayNames(format.locale, { type: 'region' })
    const say = (field: string, value: unknown): string => {
      if (typeof value === 'boolean') return t(value ? 'merchant:yes' : 'merchant:no')
      if (value === null || value === '') return t('merchant:none')
      if (field === 'country' || field === 'legalCountry') return countries.of(String(value)) ?? String(value)
      if (field === 'language') return languageNames[value as Language]
      if (field === 'externalOcfService') return nameOf(webPaymentTypes, Number(value)) ?? String(value)
      return String(value)
    }
    return { names, say }
  }, [t, format.locale])
}
