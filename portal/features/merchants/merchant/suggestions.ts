import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'

/** Countries and their supported currencies; other countries get the euro as the likeliest. */
const currencyOf: Record<string, Currency> = {
  BR: 'BRL',
  CL: 'CLP',
  CO: 'COP',
  CZ: 'CZK',
  GB: 'GBP',
  MX: 'MXN',
  PE: 'PEN',
  PY: 'PYG',
  QA: 'QAR',
  RO: 'RON',
  RS: 'RSD',
  US: 'USD',
  UY: 'UYU',
  ZA: 'ZAR',
}

/** The most populous zone of countries with several zones. */
const zoneOf: Record<string, string> = {
  BR: 'America/Sao_Paulo',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  ES: 'Europe/Madrid',
  MX: 'America/Mexico_City',
  PT: 'Europe/Lisbon',
  US: 'America/New_York',
}

/** The likely language, currency and zone of a country's merchants; '' where unknown. */
export function suggestionsFor(country: string): { language: Language | ''; currency: Currency; timeZone: string } {
  const region = new Intl.Locale(`und-${country}`)
  const spoken = region.maximize().language
  // Newer than the types.
  const { getTimeZones } = region as Intl.Locale & { getTimeZones?: () => string[] | undefined }
  const zones = getTimeZones?.call(region) ?? []
  return {
    language: languages.find((language) => language === spoken) ?? '',
    currency: currencyOf[country] ?? 'EUR',
    timeZone: zoneOf[country] ?? (zones.length === 1 ? (zones[0] ?? '') : ''),
  }
}
