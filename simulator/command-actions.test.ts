import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '#contract/configurations/vp-document.ts'
import { remoteCommandTypeNumbers, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { zoneClock } from './clock.ts'
import { CommandFailedError, commandActionOf, commandActionsOf } from './command-actions.ts'
import { editOneVpValue, takeVpDocument, vpReportOf } from './downloads/vp.ts'
import { freshMemory } from './memory.ts'
import { personalPlan } from './own-state.ts'
import { randomFrom } from './random.ts'
import { openVending } from './vending.ts'
import type { MachineItem } from './works/item-writer.ts'

const [demo] = planFleet({ seed: 'actions', machines: 1, salesPerDay: 100, secretKey: '' })
if (!demo) throw new Error('No machine was planned')
const makers = demo.plan
const url = 'https://files.example.com/a.bin'
const picture = { url, sha256: '0'.repeat(64), bytes: 10 }
const file = { ...picture, id: '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11', signature: Buffer.alloc(64).toString('base64') }
const window = { from: '2026-11-21T02:00:00', until: '2026-11-21T05:00:00' }
const access = { portal: 'https://portal.example.com', serial: 'S', secret: 'x' }
const during = { progress: () => {}, signal: new AbortController().signal }

function aMachine() {
  const memory = freshMemory(makers)
  const plan = personalPlan(makers, memory)
  const items: MachineItem[] = []
  const vending = openVending(plan, memory, randomFrom('actions'), zoneClock(plan.timeZone), (one) => items.push(one))
  const calls: string[] = []
  const actions = commandActionsOf({
    plan,
    makers,
    memory,
    vending,
    sendHello: () => calls.push('hello'),
    restart: () => calls.push('restart'),
    update: async () => true,
    vpDocument: (sent, { signal }) => takeVpDocument(sent, access, signal),
    access,
  })
  const run = (type: number, parameters: Record<string, unknown> = {}) =>
    commandActionOf(actions, type, remoteCommandTypes)?.(parameters, during)
  return { memory, plan, items, calls, run }
}
const [first] = makers.selections
const line = first?.line ?? 0

test('every command has an action, and an unknown number has none', () => {
  const { memory, plan } = aMachine()
  const vending = openVending(plan, memory, randomFrom('a'), zoneClock(plan.timeZone), () => {})
  const actions = commandActionsOf({
    plan,
    makers,
    memory,
    vending,
    sendHello: () => {},
    restart: () => {},
    update: async () => true,
    vpDocument: (sent, { signal }) => takeVpDocument(sent, access, signal),
    access,
  })
  for (const type of remoteCommandTypeNumbers)
    expect(commandActionOf(actions, type, remoteCommandTypes)).toBeTypeOf('function')
  expect(commandActionOf(actions, 20, remoteCommandTypes)).toBeUndefined()
})

test('requested data is reported', () => {
  const { run, items, calls, memory, plan } = aMachine()
  memory.faults.push({ code: 'EAD', since: 0, until: null })
  expect(run(2)).toBe('EAD')
  expect(run(3)).toContain('VA102=')
  expect(run(17)).toContain(`${line}=${first?.prices[0]}`)
  expect(run(18)).toContain(`${line}=${first?.capacity}/${first?.capacity}`)
  run(8)
  expect(calls).toEqual(['hello'])
  run(1)
  run(9)
  expect(items.map(({ kind }) => kind)).toEqual(['cash', 'audit', 'prices', 'stock', 'cash', 'audit', 'config'])
  expect(items.at(-1)).toMatchObject({ parameters: { 'machine.kind': plan.kind } })
})

test('prices change in one price table or in every table, and together or not', () => {
  const { run, plan } = aMachine()
  expect(run(10, { prices: [{ selection: String(line), price: 777 }] })).toBe('prices 1')
  expect(plan.selections[0]?.prices).toEqual(new Array(8).fill(777))
  run(10, { prices: [{ selection: String(line), priceTable: 2, price: 555 }] })
  expect(plan.selections[0]?.prices).toEqual([777, 555, 777, 777, 777, 777, 777, 777])
  const unknown = {
    prices: [
      { selection: String(line), price: 1 },
      { selection: '9998', price: 1 },
    ],
  }
  expect(() => run(10, unknown)).toThrow('no selection 9998')
  expect(plan.selections[0]?.prices[0]).toBe(777)
  expect(first?.prices).not.toContain(777)
})

test('a configuration changes only its parameters; the factory settings restore the rest', async () => {
  const { run, items, plan, memory, calls } = aMachine()
  run(6, { settings: { 'display.brightness': '40', 'door.light': 'on' } })
  expect(items.at(-1)).toMatchObject({
    kind: 'config',
    parameters: { 'display.brightness': '40', 'door.light': 'on', 'machine.kind': plan.kind },
  })
  run(10, { prices: [{ selection: String(line), price: 777 }] })
  await run(11, { version: '9.9.9', file, window })
  run(12)
  run(9)
  expect(items.at(-1)).toMatchObject({ parameters: { 'display.brightness': '80' } })
  expect(items.at(-1)).not.toHaveProperty(['parameters', 'door.light'])
  expect(plan.selections[0]?.prices).toEqual(first?.prices)
  // Firmware is not a setting.
  expect(plan.boot.firmwareVersion).toBe('9.9.9')
  expect(calls).toEqual(['restart', 'restart'])
  expect(personalPlan(makers, memory).boot.firmwareVersion).toBe('9.9.9')
})

test('installed software reports its version', async () => {
  const { run } = aMachine()
  expect(await run(13, { version: 'EUR-14', file, window })).toBe('cash EUR-14')
  expect(await run(14, { peripheral: 'recycler', version: '7', file, window })).toBe('recycler firmware 7')
  expect(await run(15, { peripheral: 'billValidator', version: '8', file, window })).toBe('billValidator database 8')
})

test('a configuration of the visual programmer is checked, kept and reported with its hash', async () => {
  const { run, items, memory } = aMachine()
  const document = { boilers: { coffeeTemperature: 92 } }
  const sha256 = createHash('sha256').update(canonicalJson(document)).digest('hex')
  const parameters = { name: 'Summer', schemaVersion: '3.2', document }
  expect(await run(19, { ...parameters, sha256 })).toBe('Summer')
  expect(memory.own?.vp).toEqual(parameters)
  const [reported] = items.slice(-1)
  expect(reported?.kind === 'vpConfig' && vpReportOf(reported.vp)).toEqual({ ...parameters, sha256 })
  await expect(run(19, { ...parameters, sha256: '0'.repeat(64) })).rejects.toThrow('E-73')
  editOneVpValue(memory.own?.vp ?? parameters, randomFrom('edit'))
  expect(memory.own?.vp?.document).toEqual({ boilers: { coffeeTemperature: 91 } })
})

test('the accounting interval is closed with an audit, and its counters restart', () => {
  const { run, items, memory } = aMachine()
  const sold = memory.sold[0]
  if (sold) sold.count = 12
  run(16)
  expect(items).toMatchObject([{ kind: 'cash' }, { kind: 'audit' }])
  expect(memory.soldAtReset[0]?.count).toBe(12)
})

test('cash is paid out of the tubes in full or not at all', () => {
  const { run, items, memory } = aMachine()
  const smallest = makers.coins[0] ?? 0
  const held = () => memory.tubes.reduce((sum, count, tube) => sum + count * (makers.coins[tube] ?? 0), 0)
  const before = held()
  expect(run(7, { amount: smallest * 3 })).toBe(`paid ${smallest * 3}`)
  expect(held()).toBe(before - smallest * 3)
  expect(items).toMatchObject([{ kind: 'sale', sale: { type: 10, value: smallest * 3 } }])
  expect(() => run(7, { amount: 1_000_000 })).toThrow('not enough change')
  expect(held()).toBe(before - smallest * 3)
})

describe('parameters that the contract refuses', () => {
  test.each([
    [5, {}],
    [7, { amount: -1 }],
    [6, { settings: {} }],
    [10, { prices: 'all' }],
    [11, { version: '1' }],
    [4, { now: true }],
  ])('of command %i are not executed', (type, parameters) => {
    const { run, items, calls } = aMachine()
    expect(() => run(type, parameters)).toThrow(CommandFailedError)
    expect([items, calls]).toEqual([[], []])
  })
})
