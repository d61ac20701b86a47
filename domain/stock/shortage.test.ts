import { expect, test } from 'vitest'
import { concernsStock, shortagesIn, stockFactsOf } from './shortage.ts'

test('a selection that runs low and then sells out is one shortage; each selection counts separately', () => {
  expect(shortagesIn([])).toBe(0)
  expect(shortagesIn(['ELE_12', 'ELB_12', 'OBC_12', 'ELB_13', 'EDJ_2', 'EBJ', 'OBD'])).toBe(4)
  expect(shortagesIn(['ENC', 'EJC_12', 'P:CASHBOX', 'X_7', 'OBK'])).toBe(0)
})

test('a selection that is short by its level and by its own alarm is one shortage', () => {
  expect(shortagesIn([], ['12', 'A3'])).toBe(2)
  expect(shortagesIn(['ELB_12', 'EDJ_2'], ['12', '2'])).toBe(3)
})

test('a selection with the machine’s own alarm counts, and raises no second alarm', () => {
  const level = (selection: string, left: number) => ({ selection, level: left, capacity: 10, warningLevel: null })
  const levels = [level('12', 0), level('13', 0), level('2', 1)]
  expect(stockFactsOf(levels, ['ELB_12', 'EDJ_2', 'ENC'])).toEqual({
    shortages: 4,
    stock: { out: ['13'], low: ['2'], isNear: false },
  })
  expect(stockFactsOf([], [])).toEqual({ shortages: 0, stock: { out: [], low: [], isNear: false } })
})

test('events of selling out and refilling concern stock', () => {
  expect(['ELB_1', 'ele', 'OA1B', 'OA1C_4', 'EBJ'].map(concernsStock)).toEqual([true, true, true, true, true])
  expect(['ENC', 'OFA', 'EGT', 'X_7'].map(concernsStock)).toEqual([false, false, false, false])
})
