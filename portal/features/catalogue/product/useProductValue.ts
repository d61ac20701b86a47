import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { valueText } from './valueText.ts'

/** Writes the value of a product's field, in the merchant's currency. */
export function useProductValue(merchantId: string) {
  const { t } = useTranslation('vocabulary')
  const format = useFormat()
  const { currency } = useMerchantOf(merchantId)
  return useCallback(
    (field: string, value: unknown): string =>
      value === null || value === '' ? '' : (valueText(field, value, { t, format, currency }) ?? String(value)),
    [t, format, currency],
  )
}
