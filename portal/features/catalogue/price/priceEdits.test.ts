import { expect, test } from 'vitest'
import type { PriceRow } from '#contract/catalogue/price.ts'
import { editsOf, outcomesOf, wantedOf, withWanted } from './priceEdits.ts'

const table = (priceTable: number, target: number | null) => ({
  priceTable,
  wanted: target,
  wantedAt: null,
  sent: null,
  reported: null,
  audited: null,
  charged: null,
  sync: 'none' as const,
  loss: null,
  planned: [],
})
const row: PriceRow = {
  selection: '12',
  product: 'Coffee',
  productId: null,
  currency: 'EUR',
  prices: [table(1, 100), table(6, null)],
  sync: 'none',
  isDiffering: false,
  updatedAt: null,
}

test('an edit contains the target price that the user saw, also in a price list without a price', () => {
  expect(editsOf({ row, values: { table1: 110, table6: 95, table2: 90 } })).toEqual([
    { selection: '12', priceTable: 1, before: 100, price: 110 },
    { selection: '12', priceTable: 6, before: null, price: 95 },
    { selection: '12', priceTable: 2, before: null, price: 90 },
  ])
})

test('a conflict names the other user and keeps the saved prices of its row', () => {
  const conflict = {
    selection: '12',
    priceTable: 1,
    current: 105,
    changedBy: 'Bruno',
    changedAt: '2026-11-21T08:00:00',
  }
  const [outcome] = outcomesOf([{ row, values: { table1: 110, table6: 95 } }], [conflict])
  expect(outcome).toMatchObject({ kind: 'conflict', by: 'Bruno', at: '2026-11-21T08:00:00' })
  const current = outcome?.kind === 'conflict' ? outcome.current : row
  expect([wantedOf(current, 1), wantedOf(current, 6)]).toEqual([105, 95])
})

test('a saved row has its new prices, in the order of the price lists', () => {
  const saved = withWanted(row, new Map([[2, 90]]))
  expect(saved.prices.map(({ priceTable, wanted: target }) => [priceTable, target])).toEqual([
    [1, 100],
    [2, 90],
    [6, null],
  ])
})
