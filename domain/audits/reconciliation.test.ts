import { expect, test } from 'vitest'
import { compare, compareAll, type Sides } from './reconciliation.ts'

test('both sides agree when pieces and money do', () => {
  expect(compare({ count: 3, value: 450 }, { count: 3, value: 450 })).toMatchObject({ state: 'agrees' })
  expect(compare({ count: 3, value: 450 }, { count: 2, value: 300 })).toEqual({
    difference: { count: 1, value: 150 },
    state: 'differs',
  })
  expect(compare({ count: 3, value: 450 }, { count: 3, value: 400 }).state).toBe('differs')
})

test('a value that one side does not report is not compared', () => {
  expect(compare({ count: 3, value: null }, { count: 3, value: 450 })).toEqual({
    difference: { count: 0, value: null },
    state: 'agrees',
  })
  expect(compare({ count: null, value: null }, { count: 3, value: 450 }).state).toBe('unknown')
})

test('lines that neither side reports are omitted, except the sales', () => {
  const nothing = { audited: { count: null, value: null }, other: { count: null, value: null } }
  const sides: Sides = {
    sales: nothing,
    cashSales: nothing,
    otherSales: nothing,
    cashIn: nothing,
    toBox: { audited: { count: null, value: 100 }, other: { count: null, value: null } },
    freeVends: nothing,
    testVends: nothing,
  }
  expect(compareAll(sides).map(({ name, state }) => [name, state])).toEqual([
    ['sales', 'unknown'],
    ['toBox', 'unknown'],
  ])
})
