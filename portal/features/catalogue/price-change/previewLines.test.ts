import { expect, test } from 'vitest'
import type { PricePreview } from '#contract/catalogue/price-change.ts'
import { averageChange, byMachine, byProduct } from './previewLines.ts'

const aPrice = (machine: string, selection: string, facts: Partial<PricePreview> = {}): PricePreview => ({
  posId: machine,
  posName: machine,
  currency: 'EUR',
  selection,
  product: 'Coffee',
  priceTable: 1,
  before: 100,
  after: 105,
  warning: null,
  ...facts,
})

test('prices of a machine follow its heading', () => {
  const lines = byMachine([aPrice('a', '1'), aPrice('b', '1'), aPrice('a', '2')])
  expect(lines.map((line) => (line.kind === 'machine' ? `${line.machine.posName} ${line.count}` : line.key))).toEqual([
    'a 2',
    'a 1 1',
    'a 1 2',
    'b 1',
    'b 1 1',
  ])
})

test('the same change of a product is one line, the most frequent first', () => {
  const other = { before: 90, after: 95 }
  const lines = byProduct([
    aPrice('a', '1', other),
    aPrice('a', '2'),
    aPrice('b', '1'),
    aPrice('b', '7', { product: null }),
  ])
  expect(lines.map((line) => line.kind === 'product' && [line.price.product, line.machines, line.count])).toEqual([
    ['Coffee', 2, 2],
    [null, 1, 1],
    ['Coffee', 1, 1],
  ])
})

test('the average leaves out machines without a previous price', () => {
  expect(averageChange([aPrice('a', '1', { before: null }), aPrice('a', '2'), aPrice('a', '3', { after: 115 })])).toBe(
    0.1,
  )
  expect(averageChange([aPrice('a', '1', { before: 0 })])).toBeUndefined()
})
