import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { LineText, MinorUnits, Text } from '../frame/shapes.ts'
import { mostPrice } from '../vocabulary/catalogue/price.ts'
import { Allergen, ProductType } from '../vocabulary/catalogue/product.ts'

/** Characters that XML cannot have, so that a workbook keeps every text as it is. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const line = (longest: number) =>
  LineText.overwrite((text) => text.replace(unwritable, ''))
    .trim()
    .min(1)
    .max(longest)

/** Text of several lines, with the line ends that a browser sends. */
const lines = (longest: number) =>
  Text.overwrite((text) => text.toWellFormed().replace(/\r\n?/g, '\n').replace(unwritable, ''))
    .trim()
    .min(1)
    .max(longest)

/** Whether the last digit of a GTIN is the check digit of the others (GS1 General Specifications, 7.9). */
export function isGtin(text: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(text)) return false
  const digits = [...text].map(Number).reverse()
  const sum = digits.slice(1).reduce((total, digit, place) => total + digit * (place % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10 === digits[0]
}

/** GTIN-8, -12, -13 or -14 with its check digit. */
export const Gtin = Text.trim().min(1).refine(isGtin, saying('gtin'))

/** A percentage with up to two decimals. */
export const VatPercent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), saying('format'))

export const mostParameters = 20

/** Pieces or portions of one selection. */
export const SelectionPieces = z.int().min(0).max(10_000)

/** Pieces of a pack, and packs of a purchase, at most. */
const mostOrdered = 10_000
/** Days from a purchase to its delivery, at most. */
const mostLeadDays = 365

export const NewProduct = z.strictObject({
  code: line(40),
  name: line(120),
  description: lines(2000).nullable().default(null),
  productType: ProductType,
  vat: VatPercent.nullable().default(null),
  gtin: Gtin.nullable().default(null),
  cost: MinorUnits.min(0).max(mostPrice).nullable().default(null),
  supplier: line(120).nullable().default(null),
  /** Pieces of a pack; it is bought in whole packs. Null: piece by piece. */
  packSize: z.int().min(1).max(mostOrdered).nullable().default(null),
  /** The smallest purchase, in packs. */
  minimumPacks: z.int().min(1).max(mostOrdered).nullable().default(null),
  /** Days from a purchase to its delivery. */
  leadDays: z.int().min(0).max(mostLeadDays).nullable().default(null),
  /** The price and refill value with which a planogram begins when it gets the product. */
  defaultPrice: MinorUnits.min(0).max(mostPrice).nullable().default(null),
  defaultFill: SelectionPieces.nullable().default(null),
  allergens: z.array(Allergen).max(14).default([]),
  parameters: z
    .array(z.strictObject({ name: line(40), value: line(120) }))
    .max(mostParameters)
    .refine((all) => new Set(all.map(({ name }) => name.toLocaleLowerCase('en'))).size === all.length, saying('choice'))
    .default([]),
})
export type NewProduct = z.output<typeof NewProduct>
