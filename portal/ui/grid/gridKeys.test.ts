import { expect, test } from 'vitest'
import { moved, placeAt, rangeOf } from './gridKeys.ts'

const size = { rows: 100, columns: 4, page: 10 }
const press = (key: string, { shiftKey = false, isCommand = false } = {}) => ({ key, shiftKey, isCommand })

test('arrows move by one and stop at the edges; with Ctrl they go to the edge', () => {
  expect(moved(placeAt(0, 0), press('ArrowDown'), size)).toEqual(placeAt(1, 0))
  expect(moved(placeAt(0, 0), press('ArrowUp'), size)).toEqual(placeAt(0, 0))
  expect(moved(placeAt(5, 3), press('ArrowRight'), size)).toEqual(placeAt(5, 3))
  expect(moved(placeAt(5, 2), press('ArrowDown', { isCommand: true }), size)).toEqual(placeAt(99, 2))
})

test('Home, End and Page Down move to the ends of the row and the grid', () => {
  expect(moved(placeAt(5, 2), press('Home'), size)).toEqual(placeAt(5, 0))
  expect(moved(placeAt(5, 2), press('End', { isCommand: true }), size)).toEqual(placeAt(99, 3))
  expect(moved(placeAt(95, 2), press('PageDown'), size)).toEqual(placeAt(99, 2))
})

test('Shift extends the selection from its start, in any direction', () => {
  const up = moved(placeAt(5, 2), press('ArrowUp', { shiftKey: true }), size)
  const left = up && moved(up, press('ArrowLeft', { shiftKey: true }), size)
  expect(left && rangeOf(left)).toEqual({ top: 4, bottom: 5, left: 1, right: 2 })
  expect(left).toMatchObject({ row: 5, column: 2 })
})

test('Tab moves from cell to cell and leaves the grid at its ends', () => {
  expect(moved(placeAt(0, 3), press('Tab'), size)).toEqual(placeAt(1, 0))
  expect(moved(placeAt(1, 0), press('Tab', { shiftKey: true }), size)).toEqual(placeAt(0, 3))
  expect(moved(placeAt(99, 3), press('Tab'), size)).toBeUndefined()
  expect(moved(placeAt(0, 0), press('Tab', { shiftKey: true }), size)).toBeUndefined()
})

test('Ctrl+A selects all cells, and a letter moves nothing', () => {
  expect(moved(placeAt(5, 2), press('a', { isCommand: true }), size)).toEqual({
    row: 0,
    column: 0,
    toRow: 99,
    toColumn: 3,
  })
  expect(moved(placeAt(5, 2), press('a'), size)).toBeUndefined()
})
