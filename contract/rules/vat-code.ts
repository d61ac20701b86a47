import * as ar from 'stdnum/lib/cjs/ar/cuit.js'
import * as at from 'stdnum/lib/cjs/at/uid.js'
import * as be from 'stdnum/lib/cjs/be/vat.js'
import * as bg from 'stdnum/lib/cjs/bg/vat.js'
import * as br from 'stdnum/lib/cjs/br/cnpj.js'
import * as ch from 'stdnum/lib/cjs/ch/vat.js'
import * as cl from 'stdnum/lib/cjs/cl/rut.js'
import * as co from 'stdnum/lib/cjs/co/nit.js'
import * as cy from 'stdnum/lib/cjs/cy/vat.js'
import * as cz from 'stdnum/lib/cjs/cz/dic.js'
import * as de from 'stdnum/lib/cjs/de/vat.js'
import * as dk from 'stdnum/lib/cjs/dk/cvr.js'
import * as ee from 'stdnum/lib/cjs/ee/kmkr.js'
import * as es from 'stdnum/lib/cjs/es/nif.js'
import * as fi from 'stdnum/lib/cjs/fi/alv.js'
import * as fr from 'stdnum/lib/cjs/fr/tva.js'
import * as gb from 'stdnum/lib/cjs/gb/vat.js'
import * as gr from 'stdnum/lib/cjs/gr/vat.js'
import * as hr from 'stdnum/lib/cjs/hr/oib.js'
import * as hu from 'stdnum/lib/cjs/hu/anum.js'
import * as ie from 'stdnum/lib/cjs/ie/vat.js'
import * as it from 'stdnum/lib/cjs/it/iva.js'
import * as lt from 'stdnum/lib/cjs/lt/pvm.js'
import * as lu from 'stdnum/lib/cjs/lu/tva.js'
import * as lv from 'stdnum/lib/cjs/lv/pvn.js'
import * as mt from 'stdnum/lib/cjs/mt/vat.js'
import * as mx from 'stdnum/lib/cjs/mx/rfc.js'
import * as nl from 'stdnum/lib/cjs/nl/btw.js'
import * as no from 'stdnum/lib/cjs/no/mva.js'
import * as pe from 'stdnum/lib/cjs/pe/ruc.js'
import * as pl from 'stdnum/lib/cjs/pl/nip.js'
import * as pt from 'stdnum/lib/cjs/pt/nif.js'
import * as py from 'stdnum/lib/cjs/py/ruc.js'
import * as ro from 'stdnum/lib/cjs/ro/cif.js'
import * as rs from 'stdnum/lib/cjs/rs/pib.js'
import * as se from 'stdnum/lib/cjs/se/vat.js'
import * as si from 'stdnum/lib/cjs/si/ddv.js'
import * as sk from 'stdnum/lib/cjs/sk/dph.js'
import * as tr from 'stdnum/lib/cjs/tr/vkn.js'
import * as us from 'stdnum/lib/cjs/us/ein.js'
import * as uy from 'stdnum/lib/cjs/uy/rut.js'
import * as za from 'stdnum/lib/cjs/za/vat.js'
import { z } from 'zod'
import { always, saying } from './broken.ts'

interface Validator {
  /** The country's own words for it. */
  localName: string
  abbreviation?: string
  validate: (value: string) => { isValid: boolean; compact?: string }
}

/** What each country calls its VAT code, with its checksum: partita IVA, NIF, USt-IdNr., RFC, RUC … */
const validators: Record<string, Validator> = {
  AR: ar,
  AT: at,
  BE: be,
  BG: bg,
  BR: br,
  CH: ch,
  CL: cl,
  CO: co,
  CY: cy,
  CZ: cz,
  DE: de,
  DK: dk,
  EE: ee,
  ES: es,
  FI: fi,
  FR: fr,
  GB: gb,
  GR: gr,
  HR: hr,
  HU: hu,
  IE: ie,
  IT: it,
  LT: lt,
  LU: lu,
  LV: lv,
  MT: mt,
  MX: mx,
  NL: nl,
  NO: no,
  PE: pe,
  PL: pl,
  PT: pt,
  PY: py,
  RO: ro,
  RS: rs,
  SE: se,
  SI: si,
  SK: sk,
  TR: tr,
  US: us,
  UY: uy,
  ZA: za,
}

/** Of a country whose code we do not know, letters and digits are all that is asked. */
const unknown: Pick<Validator, 'validate'> = {
  validate: (value) => {
    const compact = value.toUpperCase().replace(/[\s./-]/g, '')
    return { isValid: /^[\dA-Z]{4,20}$/.test(compact), compact }
  },
}

/** What a country calls its VAT code; nothing of one whose code we do not know. */
export function vatCodeNameOf(country: string): { name: string; abbreviation: string } | undefined {
  const known = validators[country]
  return known && { name: known.localName, abbreviation: known.abbreviation ?? known.localName }
}

/** A code as it is stored: capitals, nothing but letters and digits. Nothing for what is no VAT code of the country. */
export function vatCodeOf(code: string, country: string): string | undefined {
  // Longer texts are nobody's code; they are not looked at.
  if (code.length > 40) return undefined
  const found = (validators[country] ?? unknown).validate(code.trim().toUpperCase())
  return found.isValid ? found.compact : undefined
}

/** A VAT code by the country beside it: `schema.check(vatCodeBy('vatCode', 'country'))`. */
export const vatCodeBy = <T extends Record<string, unknown>>(field: keyof T & string, country: keyof T & string) =>
  z.superRefine<T>((values, context) => {
    const [code, of] = [values[field], values[country]]
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
