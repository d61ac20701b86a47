import { z } from 'zod'
import { allMerchants } from '../vocabulary/merchant.ts'
import { saying } from './broken.ts'

/** The type of `Instant`, by which rows know their dates. */
export interface ZodInstant extends z.ZodString {
  /** For types only; undefined at run time. */
  readonly holds: 'instant'
}

/** An instant on the wire: UTC, ISO 8601 without a zone; the zero date stands for "never" in older data and shows as empty. */
export const Instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/)
  .meta({ example: '2026-11-21T08:00:00.000' }) as ZodInstant

/** An instant from a caller: a zone suffix is accepted; without one it is UTC. */
export const InstantInput = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?$/, saying('instant'))
  .refine((text) => !Number.isNaN(Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)), saying('instant'))

/** A calendar day in the merchant's zone. The year 0 is in ISO 8601 and in no database. */
export const Day = z.iso.date().refine((day) => day >= '0001', saying('date'))

/** User input. The database accepts every character except U+0000. */
export const Text = z.string().regex(/^[^\0]*$/)

/**
 * A name, or other text on one line among other words: without marks that change the direction of the text after them,
 * without line ends and lone surrogates.
 */
export const LineText = Text.overwrite((text) =>
  text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\u0001-\u001F\u007F-\u009F\u2028\u2029]+/g, ' '),
)

/** Integer minor units of the merchant's currency. */
export const MinorUnits = z.int()

export const ordTypes = ['ASC', 'DESC'] as const

/** Query of an ordered list: `ord` is one of the list's own columns. */
export const ordered = <const Ord extends readonly [string, ...string[]]>(ord: Ord) => ({
  ord: z.enum(ord).optional(),
  ordType: z.enum(ordTypes).optional(),
})

/** A page of a list whose order is its own. */
export const pages = {
  page: z.coerce.number().int().min(1).max(10_000_000).default(1),
  size: z.coerce.number().int().min(1).max(500).default(20),
}

/** Query of a paged list: `page` from 1, `size` 20 by default, `ord` one of the list's own columns. */
export const paged = <const Ord extends readonly [string, ...string[]]>(ord: Ord) => ({ ...pages, ...ordered(ord) })

/** A page of a list. `capped` says that counting stopped at its limit and `total` is that limit. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), total: z.int(), capped: z.boolean() })

/** In a query string an object is JSON; a list may be JSON too. */
const orJson = (value: unknown) => {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A filter that may be given once, several times, or as a list in JSON. */
export const oneOrMany = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    const parsed = orJson(value)
    return value === undefined || Array.isArray(parsed) ? parsed : [value]
  }, z.array(item).max(500).optional())

/** Booleans of a query string. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** Days from `startDate` to `endDate`, both included; the end before the start is refused by its handler as PeriodReversed. */
export const period = { startDate: Day, endDate: Day }
export const optionalPeriod = { startDate: Day.optional(), endDate: Day.optional() }

/** Days from `startDate` to `endDate`, both included, where a call filters by more than one period; JSON in a query string. */
export const DayRange = z.preprocess(orJson, z.strictObject({ startDate: Day.optional(), endDate: Day.optional() }))

/** An id, or an object that has it: `{ "id": … }`, JSON in a query string. */
export const idOrObject = (id: z.ZodUUID) =>
  z.preprocess(
    orJson,
    z.union([id, z.strictObject({ id })]).transform((one) => (typeof one === 'string' ? one : one.id)),
  )

/** Text is searched from this many letters on. */
export const enoughLetters = 2
export const Search = Text.trim().min(enoughLetters, saying('search')).max(100)

export { allMerchants }
