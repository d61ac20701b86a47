import { stdnum } from 'stdnum'
import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'

/** The library's name of each country's VAT code: partita IVA, NIF, USt-IdNr., RFC, RUC … */
export const vatCodes: Record<string, string> = {
  AR: 'cuit',
  AT: 'uid',
  BE: 'vat',
  BG: 'vat',
  BR: 'cnpj',
  CH: 'vat',
  CL: 'rut',
  CO: 'nit',
  CY: 'vat',
  CZ: 'dic',
  DE: 'vat',
  DK: 'cvr',
  EE: 'kmkr',
  ES: 'nif',
  FI: 'alv',
  FR: 'tva',
  GB: 'vat',
  GR: 'vat',
  HR: 'oib',
  HU: 'anum',
  IE: 'vat',
  IT: 'iva',
  LT: 'pvm',
  LU: 'tva',
  LV: 'pvn',
  MT: 'vat',
  MX: 'rfc',
  NL: 'btw',
  NO: 'mva',
  PE: 'ruc',
  PL: 'nip',
  PT: 'nif',
  PY: 'ruc',
  RO: 'cif',
  RS: 'pib',
  SE: 'vat',
  SI: 'ddv',
  SK: 'dph',
  TR: 'vkn',
  US: 'ein',
  UY: 'rut',
  ZA: 'vat',
}

/** The rule of a country's code, with its checksum. */
const validatorOf = (country: string) => stdnum[country]?.[vatCodes[country] ?? '']

/** For a country with an unknown format, only letters and digits are required. */
const unknown = {
  validate: (value: string) => {
    const compact = value.toUpperCase().replace(/[\s./-]/g, '')
    return { isValid: /^[\dA-Z]{4,20}$/.test(compact), compact }
  },
}

/** A country's name for its VAT code; undefined without a known format. */
export function vatCodeNameOf(country: string): { name: string; abbreviation: string } | undefined {
  const validator = validatorOf(country)
  return validator && { name: validator.localName, abbreviation: validator.abbreviation ?? validator.localName }
}

/** The stored form of a code: capitals, letters and digits only. Undefined for an invalid code. */
export function vatCodeOf(code: string, country: string): string | undefined {
  // Longer texts cannot be valid, so skip the checks.
  if (code.length > 40) return undefined
  const verdict = (validatorOf(country) ?? unknown).validate(code.trim().toUpperCase())
  return verdict.isValid ? verdict.compact : undefined
}

/** A VAT code by the country beside it: `schema.check(vatCodeBy('vatCode', 'country'))`. */
export const vatCodeBy = <T extends Record<string, unknown>>(field: keyof T & string, country: keyof T & string) =>
  z.superRefine<T>((values, context) => {
    const code = values[field]
    const of = values[country]
    if (typeof code === 'string' && typeof of === 'string' && code !== '' && vatCodeOf(code, of) === undefined)
      context.addIssue({ code: 'custom', ...saying('vatCode'), path: [field] })
  }, always)

/** A VAT code of a country that is known beforehand. */
export const vatCodeIn = (country: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(40)
    .refine((code) => code === '' || vatCodeOf(code, country) !== undefined, saying('vatCode'))
