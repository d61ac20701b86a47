import { expect, test } from 'vitest'
import { draftOf, fieldAfter, piecesIn, readPieces } from './countDraft.ts'

test('only whole numbers of pieces up to a million are read, with any separator of thousands', () => {
  expect(['', ' 12 ', '1.200', '1 000 000'].map(readPieces)).toEqual([0, 12, 1200, 1_000_000])
  expect(['-1', '1000001', 'ten', '1e3'].map(readPieces)).toEqual([undefined, undefined, undefined, undefined])
})

test('a draft has the stored count, and no pieces while a field is wrong', () => {
  const line = { kind: 'coin', audited: null, transmitted: null } as const
  const draft = draftOf([
    { ...line, value: 50, counted: 0 },
    { ...line, value: 100, counted: 7 },
  ])
  expect(piecesIn(draft)).toEqual([{ value: 100, count: 7 }])
  expect(piecesIn(new Map([...draft, [50, 'x']]))).toBeUndefined()
})

test('Enter and arrows move along the denominations; after the last comes the button', () => {
  expect([fieldAfter('Enter', 0, 3), fieldAfter('ArrowDown', 2, 3), fieldAfter('ArrowUp', 0, 3)]).toEqual([1, 3, 0])
  expect(fieldAfter('a', 0, 3)).toBeUndefined()
})
