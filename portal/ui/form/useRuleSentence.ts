import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrokenRule } from '#contract/frame/broken.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'

const isMoney = (value: unknown): value is { minor: number; currency: Currency } =>
  typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value

/** Bytes in a readable unit: 900 byte, 256 kB, 1 MB. */
export const writeBytes = (bytes: number, number: (value: number, options?: Intl.NumberFormatOptions) => string) => {
  const [size, unit] =
    bytes >= 1024 * 1024
      ? [bytes / 1024 / 1024, 'megabyte']
      : bytes >= 1024
        ? [bytes / 1024, 'kilobyte']
        : [bytes, 'byte']
  return number(size, { style: 'unit', unit, maximumFractionDigits: 1 })
}

/**
 * The sentence of a broken rule in the reader's language: its numbers, amounts, days and sizes have the portal's
 * formats.
 */
export function useRuleSentence() {
  const { t } = useTranslation('form')
  const format = useFormat()
  const { timeZone } = useMerchant()
  return useCallback(
    ({ key, values = {} }: BrokenRule): string => {
      const written = (name: string, value: unknown): unknown => {
        if (name === 'maxBytes') return writeBytes(Number(value), format.number)
        if (typeof value === 'number') return format.number(value, { maximumFractionDigits: 6 })
        if (isMoney(value)) return format.money(value.minor, value.currency)
        if (Array.isArray(value)) return value.map((one) => String(one).toUpperCase()).join(', ')
        if (typeof value !== 'string') return value
        if (/^\d{4}-\d\d-\d\d$/.test(value)) return format.day(value)
        const at = /^\d{4}-\d\d-\d\dT/.test(value) ? instantOf(value) : undefined
        return at ? format.instant(at, 'minute', timeZone) : value
      }
      return t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written(name, value)])))
    },
    [t, format, timeZone],
  )
}
