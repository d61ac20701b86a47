import { expect, test } from 'vitest'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Column } from '../types.ts'
import { binsOf, drawnOf, kindsOf, type Measure, measureOf, outlineOf, slicesOf } from './chartData.ts'

interface Row {
  name: string
  sales: number | null
  currency: Currency
}
const cell = () => null
const sales: Measure<Row> = {
  id: 'sales',
  name: 'Sales',
  cell,
  number: (row) => row.sales,
  unit: 'money',
  currencyOf: (row) => row.currency,
}
const signal: Measure<Row> = { id: 'signal', name: 'Signal', cell, number: () => 50, unit: 'percent' }
const columns: Column<Row>[] = [{ id: 'name', name: 'Name', cell, label: (row) => row.name }, sales, signal]
const row = (name: string, value: number | null, currency: Currency = 'EUR'): Row => ({ name, sales: value, currency })
const labelOf = ({ name }: Row) => name

test("the measure is the chosen column, else the card's number, else the first numeric column", () => {
  expect(measureOf([...columns, { ...sales, id: 'aside', card: 'aside' }], undefined)?.id).toBe('aside')
  expect(measureOf(columns, 'signal')).toBe(signal)
  expect(measureOf(columns, undefined)).toBe(sales)
  expect(measureOf(columns, 'name')).toBe(sales)
  expect(measureOf(columns.slice(0, 1), 'sales')).toBeUndefined()
})

test('different currencies are never drawn on one axis', () => {
  const rows = [
    row('Roma', 100),
    row('Praha', 9_000, 'CZK'),
    row('Milano', null),
    row('Brno', 8_000, 'CZK'),
    row('Bari', 3),
  ]
  expect(drawnOf(rows, sales, labelOf)).toEqual({
    names: ['Roma', 'Milano', 'Bari'],
    values: [100, null, 3],
    currency: 'EUR',
    currencies: ['EUR', 'CZK'],
    elsewhere: 2,
  })
  expect(drawnOf(rows, sales, labelOf, 'CZK')).toMatchObject({
    names: ['Praha', 'Brno'],
    values: [9_000, 8_000],
    elsewhere: 3,
  })
  expect(drawnOf(rows, sales, labelOf, 'GBP').currency).toBe('EUR')
  expect(drawnOf(rows, signal, labelOf)).toMatchObject({ currency: undefined, currencies: [], elsewhere: 0 })
})

test('a pie adds up equal names, its largest part first, and small parts as others', () => {
  const names = ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'minus', 'none', 'empty']
  const values = [5, 40, 15, 19, 18, 17, 16, 15, 3, 2, -8, 0, null]
  expect(slicesOf({ names, values }, (count) => `${count} others`)).toEqual({
    names: ['b', 'a', 'c', 'd', 'e', '4 others'],
    values: [40, 20, 19, 18, 17, 36],
  })
})

test('a single remaining part keeps its own name', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const { names: parts } = slicesOf({ names, values: names.map(() => 1) }, String)
  expect(parts).toEqual(names)
})

test('percentages cannot be drawn as a pie', () => {
  expect(kindsOf(signal)).toEqual(['bar', 'line'])
  expect(kindsOf(sales)).toContain('pie')
})

test('the summary of a chart has its highest row and the sum, if there is a number', () => {
  expect(outlineOf({ names: ['a', 'b', 'c'], values: [1, null, 7] })).toEqual({
    highest: { name: 'c', value: 7 },
    total: 8,
  })
  expect(outlineOf({ names: ['a'], values: [null] })).toBeUndefined()
  expect(outlineOf({ names: ['a'], values: [-3] })?.highest.value).toBe(-3)
})

test('rows beyond the limit of marks are combined, and none is left out', () => {
  const names = Array.from({ length: 1200 }, (_, index) => `Row ${index}`)
  const bins = binsOf({ names, values: names.map((_, index) => (index < 3 ? null : 2)) }, false)
  expect(bins.values.length).toBeLessThanOrEqual(500)
  expect(bins.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(1197 * 2)
  expect([bins.names[0], bins.values[0]]).toEqual(['Row 0 – Row 2', null])
  expect(binsOf({ names, values: names.map(() => 40) }, true).values[9]).toBe(40)
})
