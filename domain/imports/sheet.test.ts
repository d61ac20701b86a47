import { describe, expect, test } from 'vitest'
import { type ImportKind, importKindNames, importKindOf } from '#contract/imports/import-kinds.ts'
import { readDay } from './cells.ts'
import { otherHeadings } from './headings.ts'
import { headingKey, headingsOf, type Reading, recognise, repeatedRows, rowOf } from './sheet.ts'

const names = new Map([
  ['code', 'code'],
  ['customername', 'name'],
  ['name', 'name'],
  ['balance', 'credit'],
])

const media = { fields: importKindOf('media').fields, currency: 'EUR' } as const

describe('columns', () => {
  test('a heading means the same in any spelling, without its unit', () => {
    for (const heading of ['Customer Name', 'customer_name', 'CustomerName', ' CUSTOMER-NAME (EUR)', 'Customer  Name'])
      expect(headingKey(heading)).toBe('customername')
    expect(headingKey('Straße/Nr.')).toBe('straßenr')
  })

  test('a field has one column, its first, and the merchant’s own words win', () => {
    expect(recognise(['Name', 'Customer name', 'Balance', 'Fax'], names, {}, media)).toEqual({ name: 0, credit: 2 })
    expect(recognise(['Name', 'Fax', 'Balance'], names, { fax: 'name', balance: null }, media)).toEqual({ name: 1 })
  })

  test('what an import says of its headings is kept, also that a column is left out', () => {
    expect(headingsOf(['Name', '', 'Fax', 'Balance (EUR)'], { name: 2, credit: 3 })).toEqual({
      name: null,
      fax: 'name',
      balance: 'credit',
    })
  })
})

test.each<ImportKind>(importKindNames)('%s: a word of another system means one field', (kind) => {
  const fields = Object.keys(importKindOf(kind).fields)
  const meant = new Map<string, string>()
  for (const [field, words] of Object.entries(otherHeadings[kind])) {
    expect(fields).toContain(field)
    for (const word of words) {
      const key = headingKey(word)
      expect(`${word}: ${meant.get(key) ?? field}`).toBe(`${word}: ${field}`)
      meant.set(key, field)
    }
  }
})

const reading: Reading = {
  fields: {
    name: { is: 'text' },
    credit: { is: 'amount' },
    sector: { is: 'word', of: 'posSector' },
    allergens: { is: 'words', of: 'allergen' },
    country: { is: 'country' },
  },
  words: {
    posSector: new Map([['schule', 'school']]),
    allergen: new Map([['milch', 'milk']]),
    country: new Map([['italien', 'IT']]),
  },
  currency: 'EUR',
  isCsv: true,
}
const mapping = { name: 0, credit: 1, sector: 2, allergens: 3, country: 4 }

describe('rows', () => {
  test('cells become values, and what a cell says is kept for its fault', () => {
    expect(rowOf(["'=1+1", '12,50', 'Schule', 'Milch', 'Italien', 'ignored'], 7, mapping, reading)).toEqual({
      row: 7,
      values: { name: '=1+1', credit: 1250, sector: 'school', allergens: ['milk'], country: 'IT' },
      cells: { name: '=1+1', credit: '12,50', sector: 'Schule', allergens: 'Milch', country: 'Italien' },
      faults: [],
    })
    const faulty = rowOf(['', '1.234', 'Kiosk', '', null], 8, mapping, reading)
    expect(faulty?.values).toEqual({ name: null, allergens: [], country: null })
    expect(faulty?.faults).toEqual([
      { field: 'credit', rule: { key: 'rule.format' } },
      { field: 'sector', rule: { key: 'rule.choice' } },
    ])
  })

  test('an empty row is none', () => {
    expect(rowOf(['', null, '  '], 2, mapping, reading)).toBeUndefined()
  })

  test('a repeated row names the first one; rows without a key are not repeated', () => {
    const keys = ['a', '', 'b', 'a', '']
    expect([
      ...repeatedRows(
        keys.map((_, at) => ({ row: at + 2 })),
        (at) => keys[at] ?? '',
      ),
    ]).toEqual([[5, 2]])
  })
})

test.each([
  ['2027-03-31', '2027-03-31'],
  ['2027-03-31T00:00:00.000Z', '2027-03-31'],
  ['31.03.2027', '2027-03-31'],
  ['3.4.2027', '2027-04-03'],
  ['31/03/2027', '2027-03-31'],
  ['03/31/2027', '2027-03-31'],
  ['05/05/2027', '2027-05-05'],
])('%s is the day %s', (text, day) => {
  expect(readDay(text)).toEqual({ value: day })
})

test.each([
  ['03/04/2027', 'rule.format'],
  ['31.02.2027', 'rule.date'],
  ['2027-13-01', 'rule.date'],
  ['soon', 'rule.date'],
  ['31/03-2027', 'rule.date'],
])('%s is no day', (text, key) => {
  expect(readDay(text)).toEqual({ fault: { key } })
})
