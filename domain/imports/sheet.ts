import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import type { ImportField } from '#contract/imports/import-kinds.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import {
  type Cell,
  fault,
  plain,
  plainHeading,
  type Read,
  readAmount,
  readCount,
  readDay,
  readParameters,
  readPercent,
  readWords,
  unguarded,
} from './cells.ts'

/* A file as rows of fields: which column is which field, and what each cell says. */

/** A heading as it is compared: `Machine Name`, `machine_name` and `MachineName (EUR)` are one. */
export const headingKey = (heading: string): string => plainHeading(heading).replace(/[^\p{L}\p{N}]+/gu, '')

/** The column of each field, from 0. */
export type Mapping = Readonly<Record<string, number>>

/** What the merchant has said of headings before: the field, or null for a column that is left out. */
export type SavedHeadings = Readonly<Record<string, string | null>>

/** The currency that a heading names: of `Price (USD)` USD. */
const currencyIn = (heading: string): string | undefined => /\(([A-Z]{3})\)$/.exec(heading.trim())?.[1]

/**
 * Which column is which field, by what the merchant said before and then by the names of the field. A field has one column, its first. An amount in another
 * currency than the merchant's is none.
 */
export function recognise(
  headings: readonly string[],
  names: ReadonlyMap<string, string>,
  saved: SavedHeadings,
  { fields, currency }: Pick<Reading, 'fields' | 'currency'>,
): Record<string, number> {
  const isOfOther = (field: string, at: number) =>
    fields[field]?.is === 'amount' && (currencyIn(headings[at] ?? '') ?? currency) !== currency
  const mapping: Record<string, number> = {}
  const keys = headings.map(headingKey)
  const take = (fieldOf: (key: string) => string | null | undefined) =>
    keys.forEach((key, at) => {
      const field = key === '' ? undefined : fieldOf(key)
      if (field && !(field in mapping) && !isOfOther(field, at)) mapping[field] = at
    })
  take((key) => saved[key])
  take((key) => (key in saved ? undefined : names.get(key)))
  return mapping
}

/** What an import says of the headings of its file, for the next file. */
export const headingsOf = (headings: readonly string[], mapping: Mapping): Record<string, string | null> => {
  const fieldOf = new Map(Object.entries(mapping).map(([field, at]) => [at, field]))
  return Object.fromEntries(
    headings.flatMap((heading, at) => {
      const key = headingKey(heading)
      return key === '' ? [] : [[key, fieldOf.get(at) ?? null]]
    }),
  )
}

export interface Fault {
  field: string
  rule: BrokenRule
}

/** A row of the file: the value of each mapped field, what its cell says, and the rules that cells break. */
export interface SheetRow {
  /** The row in the file; the headings are row 1. */
  row: number
  values: Readonly<Record<string, unknown>>
  cells: Readonly<Record<string, string>>
  faults: readonly Fault[]
}

/** What cells are read by. */
export interface Reading {
  fields: Readonly<Record<string, ImportField>>
  /** Words of all languages by vocabulary, each with its code. */
  words: Readonly<Record<string, ReadonlyMap<string, unknown>>>
  currency: Currency
  isCsv: boolean
}

function readCell(field: ImportField, cell: Cell, { words, currency }: Reading): Read {
  const text = String(cell ?? '').trim()
  switch (field.is) {
    case 'percent':
      return readPercent(cell)
    case 'amount':
      return readAmount(cell, currency)
    case 'count':
      return readCount(cell)
    case 'day':
      return readDay(text)
    case 'country': {
      const code = words.country?.get(plain(text))
      return code === undefined ? fault('choice') : { value: code }
    }
    case 'word': {
      const code = words[field.of]?.get(plain(text))
      return code === undefined ? fault('choice') : { value: code }
    }
    case 'words':
      return readWords(text, words[field.of] ?? new Map())
    case 'parameters':
      return readParameters(text)
    default:
      return { value: text }
  }
}

const isEmpty = (cell: Cell | undefined) => cell === null || cell === undefined || String(cell).trim() === ''

/** A row of a file; undefined for an empty one. An empty cell says that the field is empty. */
export function rowOf(cells: readonly Cell[], row: number, mapping: Mapping, reading: Reading): SheetRow | undefined {
  if (cells.every(isEmpty)) return undefined
  const values: Record<string, unknown> = {}
  const written: Record<string, string> = {}
  const faults: Fault[] = []
  for (const [name, at] of Object.entries(mapping)) {
    const field = reading.fields[name]
    if (!field) continue
    const raw = cells[at] ?? null
    const cell = reading.isCsv && typeof raw === 'string' ? unguarded(raw) : raw
    written[name] = String(cell ?? '').trim()
    if (isEmpty(cell)) {
      values[name] = field.is === 'words' || field.is === 'parameters' ? [] : null
      continue
    }
    const read = readCell(field, cell, reading)
    if ('fault' in read) faults.push({ field: name, rule: read.fault })
    else values[name] = read.value
  }
  return { row, values, cells: written, faults }
}

/** Rows that are about the same: the later one names the first. */
export function repeatedRows(
  rows: readonly { row: number }[],
  keyOf: (at: number) => string,
): ReadonlyMap<number, number> {
  const first = new Map<string, number>()
  const repeated = new Map<number, number>()
  rows.forEach(({ row }, at) => {
    const key = keyOf(at)
    if (key === '') return
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, row)
    else repeated.set(row, earlier)
  })
  return repeated
}

export const repeatedFault = (field: string, otherRow: number): Fault => ({
  field,
  rule: broken('repeated', { otherRow }),
})
