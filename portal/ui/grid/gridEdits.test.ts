import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Changes,
  clearCells,
  copyCells,
  countChanges,
  countFaults,
  editsOf,
  fillDown,
  type Grid,
  pasteCells,
  revertCell,
  textAt,
  writeOne,
} from './gridEdits.ts'
import { readTsv, writeTsv } from './tsv.ts'
import type { GridColumn } from './types.ts'

interface Product {
  id: string
  name: string
  stock: number | null
  price: number
  family: string | null
}
const families = [
  { value: 'h', label: 'Hot' },
  { value: 'c', label: 'Cold' },
]
const columns: GridColumn<Product>[] = [
  { id: 'id', name: 'Id', value: ({ id }) => id },
  { id: 'name', name: 'Name', value: ({ name }) => name, edit: { kind: 'text', schema: z.string().min(1).max(10) } },
  {
    id: 'stock',
    name: 'Stock',
    value: ({ stock }) => stock,
    edit: { kind: 'number', schema: z.int().min(0).nullable() },
  },
  {
    id: 'price',
    name: 'Price',
    value: ({ price }) => price,
    edit: { kind: 'money', schema: z.int().positive(), currency: () => 'EUR' },
  },
  {
    id: 'family',
    name: 'Family',
    value: ({ family }) => family,
    edit: { kind: 'select', schema: z.enum(['h', 'c']).nullable(), options: () => families },
  },
]
const gridOf = (count: number): Grid<Product> => ({
  rows: Array.from({ length: count }, (_, n) => ({ id: `p${n}`, name: `P${n}`, stock: n, price: 150, family: 'h' })),
  columns,
  keyOf: ({ id }) => id,
})
const none: Changes = new Map()
const at = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })

test('spreadsheet text on the clipboard is read with its quotes and line ends, and written in the same format', () => {
  expect(readTsv('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(readTsv('"two\nlines"\t"say ""so"""\n\tlast')).toEqual([
    ['two\nlines', 'say "so"'],
    ['', 'last'],
  ])
  expect(readTsv('5" nail')).toEqual([['5" nail']])
  const cells = [
    ['a\tb', '"x"'],
    ['', 'two\nlines'],
  ]
  expect(readTsv(writeTsv(cells))).toEqual(cells)
})

test('texts are parsed by the kind of their column', () => {
  const grid = gridOf(1)
  const { changes } = pasteCells(grid, none, at(0, 1), [[' Tea ', '12', '2,50', 'cold']])
  expect(editsOf(grid, changes)).toEqual([
    { row: grid.rows[0], values: { name: 'Tea', stock: 12, price: 250, family: 'c' } },
  ])
  expect(countFaults(changes)).toBe(0)
})

test('an empty cell is null if the rule allows it, and an error otherwise', () => {
  const grid = gridOf(1)
  const changes = clearCells(grid, none, at(0, 1, 0, 4))
  expect(editsOf(grid, changes)[0]?.values).toMatchObject({ stock: null, family: null })
  expect([...(changes.get('p0') ?? [])].filter(([, { fault }]) => fault).map(([id]) => id)).toEqual(['name', 'price'])
})

test('invalid text is kept with its reason', () => {
  const grid = gridOf(1)
  const { changes } = pasteCells(grid, none, at(0, 1), [['much too long a name', '1.000,5', '1.234', 'Warm']])
  expect(countFaults(changes)).toBe(4)
  expect(textAt(grid, changes, 0, 3)).toBe('1.234')
  expect(changes.get('p0')?.get('family')?.fault).toEqual({ key: 'choice', options: 'Hot, Cold' })
})

test('an ambiguous number is refused', () => {
  const grid = gridOf(1)
  for (const text of ['1.000', '12,345', '1.000.000', '1e3', '0x10', '--1', '∞'])
    expect(countFaults(writeOne(grid, none, 0, 2, text)), text).toBe(1)
})

test('a cell set back to its saved value is not a change, whatever values it had in between', () => {
  const grid = gridOf(1)
  const changed = writeOne(grid, none, 0, 1, 'Tea')
  expect(countChanges(changed)).toBe(1)
  expect(writeOne(grid, changed, 0, 1, ' P0 ').size).toBe(0)
  expect(revertCell(changed, 'p0', 'name').size).toBe(0)
})

test('5,000 cells are pasted at once; cells beyond the end are counted, and other rows keep their identity', () => {
  const grid = gridOf(1_001)
  const before = writeOne(grid, none, 1_000, 1, 'Last')
  const cells = Array.from({ length: 1_000 }, (_, n) => [`N${n}`, String(n + 1), '1,10', 'Cold', 'beyond'])
  const { changes, written, left, fixed } = pasteCells(grid, before, at(0, 1), cells)
  expect({ written, left, fixed }).toEqual({ written: 4_000, left: 1_000, fixed: 0 })
  expect(countChanges(changes)).toBe(4_001)
  expect(changes.get('p1000')).toBe(before.get('p1000'))
  const below = pasteCells(grid, none, at(999, 0), cells.slice(0, 10))
  expect(below).toMatchObject({ written: 8, left: 40, fixed: 2 })
})

test('one cell fills a range, and the first row fills down', () => {
  const grid = gridOf(4)
  const one = pasteCells(grid, none, at(0, 1, 3, 1), [['Tea']]).changes
  expect(copyCells(grid, one, at(0, 1, 3, 1)).flat()).toEqual(['Tea', 'Tea', 'Tea', 'Tea'])
  const filled = fillDown(grid, writeOne(grid, none, 0, 4, 'cold'), at(0, 3, 3, 4))
  expect(copyCells(grid, filled, at(1, 3, 3, 4))).toEqual(Array.from({ length: 3 }, () => ['1,50', 'cold']))
})

test('copied cells can be pasted', () => {
  const grid = gridOf(3)
  const copied = copyCells(grid, none, at(2, 1, 2, 4))
  const { changes } = pasteCells(grid, none, at(0, 1), readTsv(writeTsv(copied)))
  expect(countFaults(changes)).toBe(0)
  expect(editsOf(grid, changes)[0]?.values).toEqual({ name: 'P2', stock: 2 })
})
