import { useMemo } from 'react'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

/** All countries by their names in the reader's language. */
export function useCountryOptions() {
  const { locale } = useFormat()
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' })
    const { compare } = new Intl.Collator(locale)
    return countries
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .sort((one, other) => compare(one.label, other.label))
  }, [locale])
}
