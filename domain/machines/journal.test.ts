import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRanges, committed, formatSeen, highest, isSeen, missing, parseSeen, take } from './journal.ts'

test('the database’s text is read and written', () => {
  expect(parseSeen('{}')).toEqual([])
  expect(parseSeen('{[1,5),[7,8)}')).toEqual([
    [1, 4],
    [7, 7],
  ])
  expect(formatSeen(parseSeen('{[1,5),[7,8)}'))).toBe('{[1,5),[7,8)}')
})

test('numbers in order extend one stretch', () => {
  expect(take([[1, 4]], [5, 6, 7])).toEqual({ seen: [[1, 7]], isNew: [true, true, true] })
})

test('a repeated number is not new', () => {
  expect(take([[1, 4]], [4, 5, 5])).toEqual({ seen: [[1, 5]], isNew: [false, true, false] })
})

test('a gap is named, and closes when it is filled', () => {
  const { seen: received } = take([[1, 4]], [8])
  expect([committed(received), highest(received), missing(received, 8, 50)]).toEqual([4, 8, [[5, 7]]])
  expect(committed(take(received, [6, 7, 5]).seen)).toBe(8)
})

test('a number that the machine has assigned and never sent is missing too', () => {
  expect(missing([[1, 4]], 9, 50)).toEqual([[5, 9]])
  expect(missing([], 0, 50)).toEqual([])
  expect(missing([[3, 3]], 0, 50)).toEqual([[1, 2]])
})

test('items that a machine has lost count as stored', () => {
  expect(addRanges([[5, 6]], [[1, 3]])).toEqual([
    [1, 3],
    [5, 6],
  ])
  expect(addRanges([[5, 6]], [[1, 4]])).toEqual([[1, 6]])
})

const someSeq = fc.integer({ min: 1, max: 60 })
const deliveries = fc.array(fc.array(someSeq, { maxLength: 12 }), { maxLength: 12 })

test('in any order and repetition, each number is new once and all are stored', () => {
  fc.assert(
    fc.property(deliveries, (batches) => {
      let received = parseSeen('{}')
      const stored: number[] = []
      for (const seqs of batches) {
        const intake = take(received, seqs)
        received = parseSeen(formatSeen(intake.seen))
        expect(received).toEqual(intake.seen)
        stored.push(...seqs.filter((_, index) => intake.isNew[index]))
      }
      const sent = new Set(batches.flat())
      expect(stored.toSorted((one, other) => one - other)).toEqual([...sent].toSorted((one, other) => one - other))
      for (let seq = 1; seq <= 61; seq++) expect(isSeen(received, seq)).toBe(sent.has(seq))
      const gaps = missing(received, 60, 1000).flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, n) => from + n),
      )
      for (let seq = 1; seq <= 60; seq++) expect(gaps.includes(seq)).toBe(!sent.has(seq))
      expect(received.every(([from, to], index) => from <= to && from > (received[index - 1]?.[1] ?? -1) + 1)).toBe(
        true,
      )
    }),
  )
})
