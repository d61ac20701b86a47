import { expect, test } from 'vitest'
import { converse } from '#testkit/agent/virtual-line.ts'
import { openSession } from '../line/session.ts'
import { hear, type Line, send, type Talk } from '../line/talk.ts'
import { blockCheck, frameOf, partsOf } from './blocks.ts'
import { type DexOptions, readByDex } from './carrier.ts'
import { communicationId } from './handshake.ts'
import { type DexMachine, serveByDex } from './machine.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const carrier = (options: Partial<DexOptions> = {}) =>
  openSession(9600, (line) => readByDex(line, { id: 'GTN0000001', role: 'either', ...options }))
const machine = (facts: Partial<DexMachine> = {}) =>
  openSession(9600, (line) => serveByDex(line, { file: bytes('DXS*1'), id: 'EMU0000001', role: 'slave', ...facts }))
const read = (options?: Partial<DexOptions>, facts?: Partial<DexMachine>) =>
  converse(carrier(options), machine(facts), { baud: 9600 }).carrier

/** A machine that says what a test wants after each number of bytes. */
const scripted = (turns: readonly [hears: number, says: number[]][]) =>
  openSession(9600, function* (line: Line): Talk<void> {
    for (const [hears, says] of turns) {
      for (let count = 0; count < hears; count++) yield* hear(line, line.now + 60_000)
      yield* send(line, Uint8Array.from(says), 20)
    }
  })

test('the check of a block covers its data and its end, and a DLE in the data is doubled', () => {
  expect(blockCheck(bytes('6150210000RR01L01'), 0x03)).toBe(0x6d1a)
  expect([...frameOf('text', Uint8Array.of(0x41, 0x10, 0x42), false)].slice(0, 8)).toEqual([
    0x10, 0x02, 0x41, 0x10, 0x10, 0x42, 0x10, 0x17,
  ])
})

test('a block has at most 245 bytes with its end, also with doubled ones', () => {
  const file = Uint8Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? 0x10 : 0x41))
  const parts = partsOf(file)
  expect(Buffer.concat(parts).equals(Buffer.from(file))).toBe(true)
  for (const part of parts) expect(frameOf('text', part, false).length - 4).toBeLessThanOrEqual(245)
})

test('a file with every byte and of no byte arrives', () => {
  for (const file of [Uint8Array.from({ length: 512 }, (_, index) => index & 0xff), new Uint8Array()]) {
    const outcome = read({}, { file })
    expect(outcome).toMatchObject({ isDone: true })
    if (outcome.isDone) expect([...outcome.value.file]).toEqual([...file])
  }
})

test('both sides introduce themselves, in both roles', () => {
  for (const role of ['slave', 'master'] as const)
    expect(read({ revision: 'R01L01' }, { role })).toMatchObject({
      isDone: true,
      value: { machine: 'EMU0000001', revision: 'R00L06', role: role === 'slave' ? 'master' : 'slave' },
    })
  expect(communicationId('gtn-17')).toBe('GTN1700000')
})

test.each([
  ['01', 'unknownCarrier'],
  ['02', 'otherRevision'],
  ['03', 'busy'],
  ['04', 'noData'],
  ['90', 'refused'],
])('the response code %s ends as %s', (response, fault) => {
  expect(read({}, { response })).toEqual({ isDone: false, fault })
})

test('a machine that is not ready asks to wait with DLE ;', () => {
  const wack = [0x10, 0x3b]
  const waiting = scripted([
    [1, wack],
    [1, wack],
    [1, [0x10, 0x30]],
    [23, wack],
    [1, [0x10, 0x31]],
  ])
  // After the handshake this machine says nothing more.
  const { carrier: outcome, took } = converse(carrier({ patience: 5000 }), waiting, { baud: 9600 })
  expect(outcome).toEqual({ isDone: false, fault: 'stalled' })
  expect(took).toBeGreaterThan(5900)
})

test('a port without a machine is silent, and a wire that is joined to itself an echo', () => {
  const nobody = openSession(9600, function* (line: Line): Talk<void> {
    yield* hear(line, 1_000_000)
  })
  expect(converse(carrier(), nobody, { baud: 9600 }).carrier).toEqual({ isDone: false, fault: 'silent' })
  const echo = openSession(9600, function* (line: Line): Talk<void> {
    for (;;) {
      const byte = yield* hear(line, line.now + 60_000)
      if (byte === undefined) return
      yield* send(line, Uint8Array.of(byte), 0)
    }
  })
  expect(converse(carrier(), echo, { baud: 9600 }).carrier).toEqual({ isDone: false, fault: 'echo' })
})

test('a machine that never gets our answers is unheard', () => {
  const deaf = openSession(9600, function* (line: Line): Talk<void> {
    for (;;) {
      yield* send(line, Uint8Array.of(0x05), 1000)
    }
  })
  expect(converse(carrier({ role: 'slave' }), deaf, { baud: 9600 }).carrier).toEqual({
    isDone: false,
    fault: 'unheard',
  })
})

test('noise alone is named', () => {
  const intruders = Array.from({ length: 20_000 }, (_, index) => ({
    at: index,
    to: 'carrier' as const,
    byte: 0x80 | ((index * 37) & 0x7f),
  }))
  const nobody = openSession(9600, function* (line: Line): Talk<void> {
    yield* hear(line, 1_000_000)
  })
  expect(converse(carrier(), nobody, { baud: 9600, intruders }).carrier).toEqual({ isDone: false, fault: 'noise' })
})
