import { expect, test } from 'vitest'
import { columnWidths, readTableState, TableFilter, TableSettings } from './table-state.ts'

const begins = {
  merchantId: null,
  currentPage: 1,
  itemsPerPage: 20,
  filter: {},
  headers: [],
  dtOptions: { chart: 'none', measure: null },
  sortOptions: null,
}

test('a missing or invalid state is the table’s default', () => {
  for (const nothing of [undefined, null, 7, 'state', [], [1], {}, { page: 3 }])
    expect(readTableState(nothing)).toEqual(begins)
})

test('a valid state is read unchanged', () => {
  const state: TableSettings = {
    merchantId: '00000000-0000-7000-8000-000000000000',
    currentPage: 3,
    itemsPerPage: 'all',
    filter: { states: ['blocked'], search: ['=1+1'] },
    headers: [{ id: 'name', isShown: null, width: 200 }],
    dtOptions: { chart: 'bar', measure: 'value' },
    sortOptions: { ord: 'name', ordType: 'DESC' },
  }
  expect(TableSettings.parse(state)).toEqual(state)
  expect(readTableState(state)).toEqual(state)
})

test('each invalid field of an older version gets its default', () => {
  const older = {
    merchantId: 'merchant',
    currentPage: -3,
    itemsPerPage: 1_000_000,
    filter: { states: 'blocked', '<script>': ['x'], types: ['1', 2, null, 'a\0b', 'x'.repeat(10_000)], none: [] },
    headers: ['name', { text: 'Name', value: 'name' }, { id: 'state', isShown: 'yes', width: -20 }, { id: 'state' }],
    dtOptions: { chart: 'treemap', measure: 'value', dense: true },
    sortOptions: { sortBy: ['name'], sortDesc: [true] },
  }
  expect(readTableState(older)).toEqual({
    ...begins,
    filter: { types: ['1'], none: [] },
    headers: [{ id: 'state', isShown: null, width: null }],
    dtOptions: { chart: 'none', measure: 'value' },
  })
  expect(readTableState({ ...older, currentPage: 4, filter: null }).currentPage).toBe(4)
})

test('a state that was read can always be saved again, whatever its size', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `name${index}`)
  const endless = {
    currentPage: 1e20,
    filter: Object.fromEntries(names.map((name) => [name, names])),
    headers: names.map((id, index) => ({ id, isShown: true, width: index })),
    sortOptions: { ord: 'x'.repeat(10_000), ordType: 'ASC' },
  }
  const read = readTableState(endless)
  expect(TableSettings.parse(read)).toEqual(read)
  expect(Object.values(read.filter).flat()).toHaveLength(500)
  expect(read.headers).toHaveLength(100)
  expect(read.headers[0]?.width).toBeNull()
  expect(read.headers[columnWidths.least]?.width).toBe(columnWidths.least)
})

test('a state that is too large, or has characters the database refuses, is refused or corrected', () => {
  const accepts = (filter: unknown) => TableFilter.safeParse(filter).success
  expect(accepts({ states: ['blocked'] })).toBe(true)
  expect(accepts({ states: ['a\0b'] })).toBe(false)
  expect(accepts({ states: ['x'.repeat(101)] })).toBe(false)
  expect(accepts({ '"><script>': ['x'] })).toBe(false)
  expect(accepts({ a: Array(300).fill('x'), b: Array(300).fill('x') })).toBe(false)
  expect(TableFilter.parse({ search: ['a\ud800b'] })).toEqual({ search: ['a\ufffdb'] })
})

test('a column has one place', () => {
  const header = { id: 'name', isShown: true, width: null }
  expect(TableSettings.safeParse({ ...begins, headers: [header, header] }).success).toBe(false)
})
