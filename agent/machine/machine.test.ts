import { expect, test } from 'vitest'
import { anAudit } from '../emulator/an-audit.ts'
import type { NewItem } from '../journal/items.ts'
import { faultReading, openMachine, type Reading, totalsOf } from './machine.ts'

const file = anAudit({ selections: 2, vends: 5 })

function aMachine(readings: (Reading | Error)[]) {
  const reported: NewItem[] = []
  let atOnce = 0
  let most = 0
  const stop = new AbortController()
  const machine = openMachine({
    signal: stop.signal,
    async transfer() {
      most = Math.max(most, ++atOnce)
      await Promise.resolve()
      atOnce--
      const reading = readings.shift()
      if (!reading || reading instanceof Error) throw reading
      return reading
    },
    report: (...items) => void reported.push(...items),
    now: () => 7,
  })
  return { machine, reported, stop, most: () => most }
}

test('a machine that cannot be read is an event, which ends with the next audit', async () => {
  const { machine, reported } = aMachine([
    faultReading('silent'),
    faultReading('silent'),
    new Error('Cannot lock port'),
    { file, port: 'dex' },
  ])
  for (let time = 0; time < 4; time++) await machine.read(1)
  expect(reported).toMatchObject([
    { kind: 'event', code: 'AGENT_READ', active: true, message: expect.stringContaining('silent'), detail: 'silent' },
    { kind: 'event', code: 'AGENT_READ', active: true, message: 'Cannot lock port', detail: 'port' },
    { kind: 'audit', origin: 1, port: 'dex', data: Buffer.from(file).toString('base64') },
    { kind: 'event', code: 'AGENT_READ', active: false },
  ])
})

test('a reading that ends because the agent stops is no fault of the machine', async () => {
  const { machine, reported, stop } = aMachine([new Error('The agent stops')])
  stop.abort()
  await expect(machine.read(1)).rejects.toThrow()
  expect(reported).toEqual([])
})

test('readings wait for each other', async () => {
  const { machine, most } = aMachine([faultReading('busy'), { file, port: 'dex' }])
  await Promise.all([machine.read(1), machine.read(2)])
  expect(most()).toBe(1)
})

test('the totals have their names in EVA-DTS', () => {
  expect(totalsOf(file)).toBe('VA101=1200 VA102=10 CA201=1200')
})
