import { expect, test } from 'vitest'
import { legendRows } from './legendRows.ts'

test.each([
  { what: 'all beside each other, to the last pixel', room: 176, rows: 1 },
  { what: 'one pixel less, and the last goes below', room: 175, rows: 2 },
  { what: 'each below the other', room: 60, rows: 3 },
  { what: 'narrower than any of them', room: 10, rows: 3 },
])('a legend of 60, 40 and 60 pixels, 8 apart, has $rows rows in $room pixels: $what', ({ room, rows }) => {
  expect(legendRows([60, 40, 60], 8, room)).toBe(rows)
})

test('an empty legend takes one row', () => {
  expect(legendRows([], 8, 100)).toBe(1)
})
