import { expect, test } from 'vitest'
import { openJournal } from './journal.ts'
import type { MachineItem } from './works/item-writer.ts'

const event = (seq: number): MachineItem => ({ kind: 'event', seq, at: seq, code: 'EAD', active: true })
const aJournal = (...seqs: number[]) => openJournal(seqs.map(event))
const seqs = (happenings: readonly MachineItem[]) => happenings.map(({ seq }) => seq)

test('sent items are sent again only on request', () => {
  const journal = aJournal(1, 2, 3, 4, 5)
  expect(seqs(journal.take(0))).toEqual([1, 2, 3, 4, 5])
  expect(seqs(journal.take(1000))).toEqual([])
  journal.commit(1, 1000)
  journal.resend(3, 4)
  expect(seqs(journal.take(2000))).toEqual([3, 4])
  expect(seqs(journal.take(3000))).toEqual([])
})

test('requested items that were dropped or never existed are skipped', () => {
  const journal = aJournal(1, 2, 3)
  journal.take(0)
  journal.commit(2, 0)
  journal.commit(2, 600_000)
  journal.resend(1, 9)
  expect(seqs(journal.take(600_001))).toEqual([3])
})

test('after a time-out, and after a broken connection, all items are sent again', () => {
  const journal = aJournal(1, 2)
  journal.take(0)
  expect(seqs(journal.take(20_000))).toEqual([1, 2])
  journal.resendAll()
  journal.add(event(3))
  expect(seqs(journal.take(20_001))).toEqual([1, 2, 3])
})

test('stored items are removed, even if they were not marked as sent', () => {
  const journal = aJournal(1, 2, 3)
  journal.commit(2, 0)
  expect([journal.size(), seqs(journal.pending())]).toEqual([1, [3]])
})

test('stored items are kept for ten minutes, and are sent again when a restored database lacks them', () => {
  const journal = aJournal(1, 2, 3)
  journal.take(0)
  journal.commit(3, 0)
  expect([journal.size(), journal.oldest(), seqs(journal.take(30_000))]).toEqual([0, 1, []])
  // The gateway was away for an hour, and its database was restored to the first item.
  journal.commit(1, 3_600_000)
  expect(journal.oldest()).toBe(2)
  journal.resend(2, 3)
  expect(seqs(journal.take(3_600_001))).toEqual([2, 3])
  journal.commit(3, 3_600_100)
  journal.commit(3, 3_600_100 + 599_999)
  expect(journal.oldest()).toBe(2)
  journal.commit(3, 3_600_100 + 600_000)
  expect(journal.oldest()).toBeUndefined()
})
