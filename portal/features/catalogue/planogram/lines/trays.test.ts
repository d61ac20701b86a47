import { expect, test } from 'vitest'
import { traysOf } from './trays.ts'

const trayTexts = (...selections: string[]) =>
  traysOf(selections.map((selection) => ({ selection }))).map(
    ({ tray, places }) => `${tray}: ${places.map(({ selection }) => selection).join(' ')}`,
  )

test('selections of two digits are on the tray of their first digit', () => {
  expect(trayTexts('22', '11', '21', '12')).toEqual(['1: 11 12', '2: 21 22'])
})

test('a tray of three digits holds places from 01 to 10', () => {
  expect(trayTexts('110', '101', '201', '102')).toEqual(['1: 101 102 110', '2: 201'])
})

test('letters name trays, in any case', () => {
  expect(trayTexts('B1', 'A10', 'a2', 'A1')).toEqual(['A: A1 a2 A10', 'B: B1'])
})

test('selections of one digit are on one tray', () => {
  expect(trayTexts('3', '1', '2')).toEqual([': 1 2 3'])
})
