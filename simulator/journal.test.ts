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
  journal.commit(1)
  journal.resend(3, 4)
  expect(seqs(journal.take(2000))).toEqual([3, 4])
  expect(seqs(journal.take(3000))).toEqual([])
})

test('requested items that were dropped or never existed are skipped', () => {
  const journal = aJournal(1, 2, 3)
  journal.take(0)
  journal.commit(2)
  journal.resend(1, 9)
  expect(seqs(journal.take(1000))).toEqual([3])
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
  journal.commit(2)
  expect([journal.size(), seqs(journal.pending())]).toEqual([1, [3]])
})
