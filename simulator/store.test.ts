import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { freshMemory } from './memory.ts'
import { openStore } from './store.ts'
import type { MachineItem } from './works/item-writer.ts'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const [machine] = planFleet({ seed: 'store', machines: 1, salesPerDay: 10, secretKey: '' })
const memoryAt = (seq: number) => {
  if (!machine) throw new Error('No machine was planned.')
  return { ...freshMemory(machine.plan), seq }
}
const event = (seq: number): MachineItem => ({ kind: 'event', seq, at: 1, code: 'EAD', active: true })
const audit = (seq: number): MachineItem => ({
  kind: 'audit',
  seq,
  at: 1,
  origin: 1,
  bytes: new Uint8Array([0, 42, 255]),
})

test('noted items are read back, including the bytes of an audit', () => {
  const folder = aFolder()
  const store = openStore(folder)
  store.note('A', memoryAt(2), [event(1), audit(2)])
  store.note('A', memoryAt(3), [event(3)])
  expect(openStore(folder).machines.get('A')).toEqual({ memory: memoryAt(3), pending: [event(1), audit(2), event(3)] })
})

test('compacted items stay, together with later items', () => {
  const folder = aFolder()
  const store = openStore(folder)
  store.note('A', memoryAt(2), [event(1), event(2)])
  store.compact([['A', { memory: memoryAt(2), pending: [event(2)] }]])
  store.note('A', memoryAt(3), [event(3)])
  expect(openStore(folder).machines.get('A')).toEqual({ memory: memoryAt(3), pending: [event(2), event(3)] })
})

test('a truncated line is ignored, and lines from before a compaction change nothing', () => {
  const folder = aFolder()
  openStore(folder).compact([['A', { memory: memoryAt(5), pending: [] }]])
  openStore(folder).note('A', memoryAt(4), [event(4)])
  appendFileSync(join(folder, 'since.ndjson'), '{"serial":"A","memo')
  expect(openStore(folder).machines.get('A')).toEqual({ memory: memoryAt(5), pending: [] })
})
