import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'

/*
 * How countries write postal codes: N is a digit, A a letter, X either; blanks and hyphens are there for the eye. Where several
 * are listed, each is in use. After the bar: how many characters name the area, where lists of places know no more than that.
 */
const templates: Record<string, { forms: readonly string[]; area?: (code: string) => string }> = {
  AR: { forms: ['NNNN', 'ANNNNAAA'] },
  AT: { forms: ['NNNN'] },
  AU: { forms: ['NNNN'] },
  BE: { forms: ['NNNN'] },
  BG: { forms: ['NNNN'] },
  BR: { forms: ['NNNNN-NNN'] },
  CA: { forms: ['ANA NAN'], area: (code) => code.slice(0, 3) },
  CH: { forms: ['NNNN'] },
  CL: { forms: ['NNNNNNN'] },
  CO: { forms: ['NNNNNN'] },
  CY: { forms: ['NNNN'] },
  CZ: { forms: ['NNN NN'] },
  DE: { forms: ['NNNNN'] },
  DK: { forms: ['NNNN'] },
  EE: { forms: ['NNNNN'] },
  ES: { forms: ['NNNNN'] },
  FI: { forms: ['NNNNN'] },
  FR: { forms: ['NNNNN'] },
  GB: {
    forms: ['AN NAA', 'ANN NAA', 'AAN NAA', 'AANN NAA', 'ANA NAA', 'AANA NAA'],
    area: (code) => (code.length > 4 ? code.slice(0, -3) : code),
  },
  GR: { forms: ['NNN NN'] },
  HR: { forms: ['NNNNN'] },
  HU: { forms: ['NNNN'] },
  IE: { forms: ['AXX XXXX'], area: (code) => code.slice(0, 3) },
  IT: { forms: ['NNNNN'] },
  LI: { forms: ['NNNN'] },
  LT: { forms: ['NNNNN'] },
  LU: { forms: ['NNNN'] },
  LV: { forms: ['NNNN'] },
  MT: { forms: ['AAA NNNN'], area: (code) => code.slice(0, 3) },
  MX: { forms: ['NNNNN'] },
  NL: { forms: ['NNNN AA'], area: (code) => code.slice(0, 4) },
  NO: { forms: ['NNNN'] },
  PE: { forms: ['NNNNN'] },
  PL: { forms: ['NN-NNN'] },
  PT: { forms: ['NNNN-NNN'] },
  PY: { forms: ['NNNN', 'NNNNNN'] },
  RO: { forms: ['NNNNNN'] },
  RS: { forms: ['NNNNN'] },
  SE: { forms: ['NNN NN'] },
  SI: { forms: ['NNNN'] },
  SK: { forms: ['NNN NN'] },
  SM: { forms: ['NNNNN'] },
  TR: { forms: ['NNNNN'] },
  US: { forms: ['NNNNN', 'NNNNN-NNNN'], area: (code) => code.slice(0, 5) },
  UY: { forms: ['NNNNN'] },
  VA: { forms: ['NNNNN'] },
  ZA: { forms: ['NNNN'] },
}

const signs: Record<string, RegExp> = { N: /\d/, A: /[A-Z]/, X: /[\dA-Z]/ }
const compactForm = (form: string) => form.replace(/[ -]/g, '')
/** Whether a compact code is the beginning of a form, or the whole of it. */
const begins = (code: string, form: string) =>
  code.length <= form.length && [...code].every((sign, index) => signs[form.charAt(index)]?.test(sign))

/**
 * A code without what is there for the eye: capitals, no blanks, no hyphens, and without the country's own letters before it
 * (`LV-1050`, `L-1234`).
 */
export function compactPostalCode(country: string, code: string): string {
  const compact = code.toUpperCase().replace(/[\s\u00a0-]/g, '')
  const isDigits = templates[country]?.forms.every((form) => /^[N -]+$/.test(form))
  return isDigits
    ? compact.replace(/^[A-Z]{1,2}(?=\d)/, (letters) => (country.startsWith(letters) ? '' : letters))
    : compact
}

/** Whether a compact code is complete; for a country with an unknown format, only letters and digits are required. */
function isWhole(country: string, compact: string): boolean {
  const template = templates[country]
  if (!template) return /^[\dA-Z]{2,10}$/.test(compact)
  return template.forms.map(compactForm).some((form) => form.length === compact.length && begins(compact, form))
}

/** Whether a partial code could become a code of the country: from 3 characters on, places are suggested. */
export function couldBePostalCode(country: string, code: string): boolean {
  const compact = compactPostalCode(country, code)
  const template = templates[country]
  if (!template) return /^[\dA-Z]{2,10}$/.test(compact)
  return compact.length >= 3 && template.forms.some((form) => begins(compact, compactForm(form)))
}

/** The part of a whole code that lists of places know. */
export const areaOf = (country: string, compact: string): string =>
  isWhole(country, compact) ? (templates[country]?.area?.(compact) ?? compact) : compact

/** A code as its country writes it; an incomplete code stays unchanged. */
export function writePostalCode(country: string, code: string): string {
  const compact = compactPostalCode(country, code)
  const form = templates[country]?.forms.find(
    (form) => compactForm(form).length === compact.length && begins(compact, compactForm(form)),
  )
  if (!form) return code.trim()
  let at = 0
  return [...form].map((sign) => (sign in signs ? compact.charAt(at++) : sign)).join('')
}

export const isPostalCode = (country: string, code: string): boolean =>
  isWhole(country, compactPostalCode(country, code))

/** A country's formats of postal codes: N is a digit, A a letter, X either. Undefined if unknown. */
export const postalCodeForms = (country: string): readonly string[] => templates[country]?.forms ?? []

/** A postal code by the country beside it: `schema.check(postalCodeBy('zipCode', 'country'))`. */
export const postalCodeBy = <T extends Record<string, unknown>>(field: keyof T & string, country: keyof T & string) =>
  z.superRefine<T>((values, context) => {
    const code = values[field]
    const of = values[country]
    if (typeof code === 'string' && typeof of === 'string' && code !== '' && !isPostalCode(of, code))
      context.addIssue({ code: 'custom', ...saying('postalCode'), path: [field] })
  }, always)

/** A postal code of a country that is known beforehand. */
export const postalCodeOf = (country: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(20)
    .refine((code) => code === '' || isPostalCode(country, code), saying('postalCode'))
