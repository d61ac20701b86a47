import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { faultyLine, type LineFault } from '#testkit/agent/line-faults.ts'
import { type ConversationOptions, converse } from '#testkit/agent/virtual-line.ts'
import { beginningRate, type ReadingOptions, readMachine } from '../audit/read-machine.ts'
import { serveByDdcmp } from '../ddcmp/machine.ts'
import { serveByDex } from '../dex/machine.ts'
import { type LineSession, openSession, type TransferOutcome } from '../line/session.ts'
import { anAudit } from './an-audit.ts'
import { noisyLine } from './disturbance.ts'

// Some thousand transfers, byte by byte.
vi.setConfig({ testTimeout: 180_000 })

const file = anAudit({ selections: 2 })
const long = anAudit({ selections: 40 })

type Place = { options: ReadingOptions; baud: number; machine: (file: Uint8Array) => LineSession<void> }

function dex(role: 'either' | 'master' | 'slave', machineRole: 'master' | 'slave', blockLength?: number): Place {
  const machine = { id: 'EMU0000001', role: machineRole, blockLength }
  return {
    options: { protocol: 'dex', id: 'GTN0000001', role },
    baud: beginningRate.dex,
    machine: (served) => openSession(beginningRate.dex, (line) => serveByDex(line, { file: served, ...machine })),
  }
}
function ddcmp(baud: number, hasLength: boolean, blockLength?: number): Place {
  const machine = { serial: 'EMU00001', baud, hasLength, blockLength }
  return {
    options: { protocol: 'ddcmp', baud: 115_200, clock: '2026-11-21T08:00:00' },
    baud: beginningRate.ddcmp,
    machine: (served) => openSession(beginningRate.ddcmp, (line) => serveByDdcmp(line, { file: served, ...machine })),
  }
}
const places: Place[] = [
  dex('either', 'slave'),
  dex('either', 'master'),
  dex('master', 'slave'),
  dex('slave', 'master'),
  ddcmp(2400, true),
  ddcmp(9600, false),
  ddcmp(115_200, false),
]
/** Short blocks pass where long ones do not. */
const shortBlocks: Place[] = [dex('either', 'slave', 24), dex('master', 'slave', 24), ddcmp(9600, false, 24)]

/** Reads a machine that serves again and again, on a line with faults. */
function transfer({ options, baud, machine }: Place, served: Uint8Array, line: Partial<ConversationOptions> = {}) {
  return converse(
    openSession(baud, (side) => readMachine(side, options)),
    machine(served),
    { baud, again: () => machine(served), ...line },
  ).carrier
}

/** A transfer gives the whole file or says why not. */
function expectRightOrRefused(outcome: TransferOutcome<{ file: Uint8Array }>, served: Uint8Array): boolean {
  if (outcome.isDone) expect(Buffer.compare(outcome.value.file, served)).toBe(0)
  else expect(outcome.fault).toMatch(/^[a-zA-Z]+$/)
  return outcome.isDone
}

test.each(places.map((place, index) => [index, place] as const))(
  'without faults the file is whole (%i)',
  (_, place) => {
    expect(expectRightOrRefused(transfer(place, long), long)).toBe(true)
  },
)

const side = fc.constantFrom<'carrier' | 'machine'>('carrier', 'machine')
const index = fc.nat(900)
const bytes = fc.integer({ min: 1, max: 300 })
const lineFault: fc.Arbitrary<LineFault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('lose' as const, 'double' as const), from: side, index }),
  fc.record({ kind: fc.constant('flip' as const), from: side, index, mask: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('silence' as const), from: side, index, bytes }),
  fc.record({ kind: fc.constant('slow' as const), from: side, index, bytes, ms: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constant('echo' as const), from: side, index, bytes }),
)
/** Another master on the line: ENQ, START, or anything. */
const intruder = fc.record({
  at: fc.integer({ min: 0, max: 20_000 }),
  to: fc.constantFrom<'carrier' | 'machine'>('carrier', 'machine'),
  byte: fc.oneof(fc.constantFrom(0x05, 0x10, 0x30, 0x31, 0x15, 0x04, 0x81), fc.nat(255)),
})

test('any faults of a line end in the whole file or in a named fault', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.array(lineFault, { maxLength: 12 }),
      fc.array(intruder, { maxLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 3 }),
      (place, faults, intruders, resets) => {
        const outcome = transfer(place, file, { disturb: faultyLine(faults), intruders, resets })
        expectRightOrRefused(outcome, file)
      },
    ),
    // The seed that found a START in the middle of a session.
    { numRuns: 300, seed: -441069822 },
  )
})

/** A small generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test.each([
  { share: 0.05, transfers: 1000, at: places, least: 0 },
  { share: 0.01, transfers: 200, at: shortBlocks, least: 0.5 },
  { share: 0.002, transfers: 200, at: places, least: 0.8 },
])(
  'with a share of $share faulty bytes each of $transfers transfers is right or refused',
  ({ share, transfers, at, least }) => {
    let right = 0
    for (let seed = 0; seed < transfers; seed++) {
      const place = at[seed % at.length]
      if (!place) throw new Error('There is no machine.')
      if (expectRightOrRefused(transfer(place, file, { disturb: noisyLine(share, randomOf(seed)) }), file)) right++
    }
    expect(right / transfers).toBeGreaterThanOrEqual(least)
  },
)

test('a line that falls silent at any byte ends in a named fault', () => {
  for (const place of places) {
    for (const from of ['carrier', 'machine'] as const) {
      for (let at = 0; at < 700; at += 41) {
        const faults: LineFault[] = [{ kind: 'silence', from, index: at, bytes: 100_000 }]
        const outcome = transfer(place, file, { disturb: faultyLine(faults) })
        expectRightOrRefused(outcome, file)
      }
    }
  }
})
