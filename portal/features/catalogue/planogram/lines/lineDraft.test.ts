import { describe, expect, test } from 'vitest'
import { grown, type LineDraft, lineAfter, moved, withDefaults } from './lineDraft.ts'

const line = (selection: string): LineDraft => ({
  selection,
  productId: 'p',
  capacity: 7,
  warningLevel: 1,
  refillValue: 6,
  prices: { 1: 100 },
})
const names = (lines: readonly LineDraft[]) => lines.map(({ selection }) => selection)

test('a new selection is the next free one, with the capacity of the one before it', () => {
  const lines = [line('9'), line('10'), line('A09')]
  expect(lineAfter(lines, 0)).toEqual({ ...line('11'), productId: null, prices: {} })
  expect(lineAfter(lines, 2).selection).toBe('A10')
  expect(lineAfter([line('TOP')], 0).selection).toBe('')
  expect(lineAfter([], -1).selection).toBe('11')
})

test('several rows move together and stop at the ends', () => {
  const lines = ['1', '2', '3', '4'].map(line)
  expect(names(moved(lines, 1, 2, -1))).toEqual(['2', '3', '1', '4'])
  expect(names(moved(lines, 1, 2, 1))).toEqual(['1', '4', '2', '3'])
  expect(names(moved(lines, 0, 1, -1))).toEqual(['1', '2', '3', '4'])
  expect(names(moved(lines, 2, 3, 1))).toEqual(['1', '2', '3', '4'])
})

test('lines grow for a paste, up to a planogram’s limit', () => {
  expect(grown([line('1')], 3).map(({ capacity }) => capacity)).toEqual([7, 7, 7])
  expect(grown([line('1'), line('2')], 1)).toHaveLength(2)
  expect(grown([], 10_000)).toHaveLength(500)
})

describe('a line that gets a product', () => {
  const empty: LineDraft = {
    selection: '11',
    productId: null,
    capacity: 10,
    warningLevel: 2,
    refillValue: 10,
    prices: {},
  }
  const defaultsOf = () => ({ defaultPrice: 120, defaultFill: 8 })
  const got = { ...empty, productId: 'tea' }

  test('begins with its price and refill value', () => {
    expect(withDefaults([empty], [got], defaultsOf)).toEqual([{ ...got, prices: { 1: 120 }, refillValue: 8 }])
  })

  test('keeps a price that it has, and a refill value that was pasted with it', () => {
    const priced = { ...empty, prices: { 1: 90 } }
    const pasted = { ...priced, productId: 'tea', refillValue: 5 }
    expect(withDefaults([priced], [pasted], defaultsOf)).toEqual([pasted])
  })

  test('is filled no more than fits', () => {
    const small = { ...empty, capacity: 6 }
    expect(withDefaults([small], [{ ...small, productId: 'tea' }], defaultsOf)[0]?.refillValue).toBe(6)
  })

  test('stays as it is with the product that it had', () => {
    expect(withDefaults([got], [{ ...got, selection: '12' }], defaultsOf)).toEqual([{ ...got, selection: '12' }])
  })
})
