import { expect, test } from 'vitest'
import { converse } from '#testkit/agent/virtual-line.ts'
import { openSession } from '../line/session.ts'
import { hear, type Line, send, type Talk } from '../line/talk.ts'
import { type DdcmpOptions, readByDdcmp } from './carrier.ts'
import { type DdcmpMachine, serveByDdcmp } from './machine.ts'
import { control, dataMessage, holds, rateCode } from './messages.ts'

const file = new TextEncoder().encode('DXS*EMU*VA*V0/6*1\r\n'.repeat(60))
const carrier = (options: Partial<DdcmpOptions> = {}) =>
  openSession(2400, (line) => readByDdcmp(line, { baud: 115_200, clock: '2026-11-21T08:00:00', ...options }))
const machine = (facts: Partial<DdcmpMachine> = {}) =>
  openSession(2400, (line) => serveByDdcmp(line, { file, serial: 'EMU00001', baud: 9600, ...facts }))
const read = (options?: Partial<DdcmpOptions>, facts?: Partial<DdcmpMachine>) =>
  converse(carrier(options), machine(facts), { baud: 2400 }).carrier
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('messages are those of the standard', () => {
  // FINISH with number 3 after message 5: EVA-DTS 6.1, chapter 6.2.1.
  const finish = dataMessage({ isLast: false, received: 5, number: 3, address: 1 }, Uint8Array.of(0x77, 0xff))
  expect(hex(finish)).toBe('810240050301a32077ff67b0')
  expect(hex(control('ack', { number: 1 }))).toBe('050140010001b855')
  expect(holds([...control('start', { fifth: 8 })])).toBe(true)
})

test.each([
  [115_200, 115_200, 115_200],
  [115_200, 9600, 9600],
  [19_200, 115_200, 19_200],
  [2400, 115_200, 2400],
  [115_200, undefined, 2400],
])('a port of %i and a machine of %s bits per second agree on %i', (ours, its, agreed) => {
  expect(read({ baud: ours }, { baud: its })).toMatchObject({ isDone: true, value: { baud: agreed, isFinished: true } })
  expect(rateCode(57_600)).toBe(7)
})

test('a machine that answers no START with a speed is started without one', () => {
  const old = openSession(2400, function* (line: Line): Talk<void> {
    for (;;) {
      const start: number[] = []
      while (start.length < 8) {
        const byte = yield* hear(line, line.now + 60_000)
        if (byte === undefined) return
        start.push(byte)
      }
      if (start[4] !== 0) continue
      yield* send(line, control('stack'), 40)
      return
    }
  })
  const outcome = converse(carrier(), old, { baud: 2400, again: () => machine({ baud: undefined }) })
  expect(outcome.carrier).toMatchObject({ isDone: true, value: { baud: 2400 } })
})

test('a file comes whole with and without its length, in blocks of any size', () => {
  for (const hasLength of [true, false])
    for (const blockLength of [7, 240, 2000]) {
      const outcome = read({}, { hasLength, blockLength })
      if (!outcome.isDone) throw new Error(outcome.fault)
      expect(hex(outcome.value.file)).toBe(hex(file))
      expect(outcome.value).toMatchObject({ machine: 'EMU00001', disturbances: 0 })
    }
})

test('a machine with codes refuses others, and a list that it lacks', () => {
  const codes = { securityCode: 0x1234, passCode: 0xabcd }
  expect(read({}, codes)).toEqual({ isDone: false, fault: 'passCode' })
  expect(read({ ...codes, passCode: 1 }, codes)).toEqual({ isDone: false, fault: 'passCode' })
  expect(read(codes, codes)).toMatchObject({ isDone: true })
  expect(read({ list: 2 }, { lists: [1] })).toEqual({ isDone: false, fault: 'noList' })
  expect(read({ list: 50 }, { lists: [1, 50] })).toMatchObject({ isDone: true })
})

test('a port without a machine is silent', () => {
  const nobody = openSession(2400, function* (line: Line): Talk<void> {
    yield* hear(line, 1_000_000)
  })
  expect(converse(carrier(), nobody, { baud: 2400 }).carrier).toEqual({ isDone: false, fault: 'silent' })
})

test('a file that is whole is taken without the answer to FINISH', () => {
  const { carrier: outcome } = converse(carrier({ baud: 2400 }), machine({ baud: undefined }), {
    baud: 2400,
    // Everything of the machine after the last block is lost: link, answers, file and their frames have this many bytes.
    disturb: (byte, { from, index }) => (from === 'machine' && index >= lastByte ? [] : [{ byte, delay: 0 }]),
  })
  expect(outcome).toMatchObject({ isDone: true, value: { isFinished: false } })
})

/** STACK, ACK and who I am, ACK and accepted, and five blocks of up to 240 bytes. */
const lastByte = 8 + (8 + 8 + 21 + 2) + (8 + 8 + 9 + 2) + 5 * (8 + 2 + 2) + file.length
