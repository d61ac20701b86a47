import { expect, test } from 'vitest'
import { openJournal } from './journal.ts'
import type { Happening } from './works/telling.ts'

const event = (seq: number): Happening => ({ kind: 'event', seq, at: seq, code: 'EAD', active: true })
const aJournal = (...seqs: number[]) => openJournal(seqs.map(event))
const seqs = (happenings: readonly Happening[]) => happenings.map(({ seq }) => seq)

test('sent items are sent again only on request', () => {
  const journal = aJournal(1, 2, 3, 4, 5)
  expect(seqs(journal.take(0))).toEqual([1, 2, 3, 4, 5])
  expect(seqs(journal.take(1000))).toEqual([])
  journal.commit(1)
  journal.askAgain(3, 4)
  expect(seqs(journal.take(2000))).toEqual([3, 4])
  expect(seqs(journal.take(3000))).toEqual([])
})

test('requested items that were dropped or never existed are left out', () => {
  const journal = aJournal(1, 2, 3)
  journal.take(0)
  journal.commit(2)
  journal.askAgain(1, 9)
  expect(seqs(journal.take(1000))).toEqual([3])
})

test('without an answer for long, and after a break, all of it goes out again', () => {
  const journal = aJournal(1, 2)
  journal.take(0)
  expect(seqs(journal.take(20_000))).toEqual([1, 2])
  journal.askAllAgain()
  journal.add(event(3))
  expect(seqs(journal.take(20_001))).toEqual([1, 2, 3])
})

test('what is stored is forgotten, whatever was sent', () => {
  const journal = aJournal(1, 2, 3)
  journal.commit(2)
  expect([journal.size(), seqs(journal.pending())]).toEqual([1, [3]])
})
