import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { NewItem } from './items.ts'
import { type AgentJournal, openJournal } from './journal.ts'

function aJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  const path = join(folder, 'journal')
  let journal = openJournal(path)
  onTestFinished(() => {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    get: () => journal,
    reopen(): AgentJournal {
      journal.close()
      journal = openJournal(path)
      return journal
    },
  }
}

const anEvent = (code: string): NewItem => ({ kind: 'event', at: 1000, code, active: true })
const seqs = (journal: AgentJournal) => journal.pending().map(({ seq }) => seq)
const minute = 60_000

test('items keep their numbers over a restart, until they are confirmed', () => {
  const { get, reopen } = aJournal()
  get().add(anEvent('A'), anEvent('B'))
  get().add(anEvent('C'))
  expect(seqs(reopen())).toEqual([1, 2, 3])
  get().acknowledge({ committed: 2, missing: [] }, 0)
  expect(seqs(reopen())).toEqual([3])
  expect(get().lastSeq()).toBe(3)
})

test('a confirmed item is held for ten minutes, and sent again when the portal misses it', () => {
  const { get, reopen } = aJournal()
  get().add(anEvent('A'), anEvent('B'))
  get().acknowledge({ committed: 2, missing: [] }, 0)
  get().acknowledge({ committed: 0, missing: [[2, 2]] }, minute)
  expect(seqs(reopen())).toEqual([2])
  get().acknowledge({ committed: 2, missing: [] }, 11 * minute)
  expect(get().oldestSeq()).toBe(2)
  get().acknowledge({ committed: 2, missing: [] }, 22 * minute)
  expect(reopen().oldestSeq()).toBe(3)
})

test('a number that the portal has is not given again', () => {
  const { get, reopen } = aJournal()
  get().acknowledge({ committed: 7, missing: [] }, 0)
  reopen().add(anEvent('A'))
  expect(seqs(get())).toEqual([8])
})

test('after an association unconfirmed items get new numbers', () => {
  const { get, reopen } = aJournal()
  get().add(anEvent('A'), anEvent('B'), anEvent('C'))
  get().acknowledge({ committed: 1, missing: [] }, 0)
  get().beginEpoch(4)
  reopen().add(anEvent('D'))
  expect(get().epoch()).toBe(4)
  expect(
    get()
      .pending()
      .map((item) => [item.seq, 'code' in item && item.code]),
  ).toEqual([
    [1, 'B'],
    [2, 'C'],
    [3, 'D'],
  ])
})

test('a command that began is known, and is underway until its result is written', () => {
  const { get, reopen } = aJournal()
  const commandId = randomUUID()
  get().begin(commandId)
  expect(reopen().knows(commandId)).toBe(true)
  expect(get().underway()).toEqual([commandId])
  get().add({ kind: 'result', at: 0, commandId, outcome: 'success' })
  expect(reopen().underway()).toEqual([])
  expect(get().knows(commandId)).toBe(true)
})

test('a large journal is written again without what was dropped, and says the same', () => {
  const { get, reopen } = aJournal()
  const commandId = randomUUID()
  get().begin(commandId)
  const large = 'x'.repeat(400_000)
  for (let index = 0; index < 8; index++) {
    get().add({ ...anEvent('A'), message: large } as NewItem)
    get().acknowledge({ committed: index, missing: [] }, index * 11 * minute)
    get().acknowledge({ committed: index, missing: [] }, (index + 1) * 11 * minute)
  }
  get().acknowledge({ committed: 7, missing: [] }, 100 * minute)
  expect(seqs(reopen())).toEqual([8])
  expect(get().underway()).toEqual([commandId])
  expect(get().lastSeq()).toBe(8)
})

test('what a source has sent is known by its name after a restart, and after the item was dropped', () => {
  const { get, reopen } = aJournal()
  get().add({ kind: 'event', at: 1000, code: 'A', active: true, source: 'board 1' }, anEvent('B'))
  expect(reopen().has('board 1')).toBe(true)
  get().acknowledge({ committed: 2, missing: [] }, 0)
  get().acknowledge({ committed: 2, missing: [] }, 10 * minute)
  // More than a journal holds before it is written again.
  for (let n = 0; n < 3; n++) get().add({ kind: 'audit', at: 1, origin: 0, port: 'dex', data: 'AAAA'.repeat(300_000) })
  expect(reopen().has('board 1')).toBe(true)
  expect(get().has('board 2')).toBe(false)
})
