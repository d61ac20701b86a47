import { expect, test } from 'vitest'
import { playTrace, type Turn } from '#testkit/agent/play-trace.ts'
import { bytesOf, type Trace, traces } from '#testkit/agent/traces.ts'
import { converse } from '#testkit/agent/virtual-line.ts'
import { readByDdcmp } from '../ddcmp/carrier.ts'
import { readByDex } from '../dex/carrier.ts'
import { openSession } from '../line/session.ts'
import type { Disturbance } from './disturbance.ts'

const turnsOf = ({ exchange }: Trace): Turn[] =>
  exchange.map(({ from, hex }) => ({ from: from === 'machine' ? 'machine' : 'carrier', bytes: bytesOf(hex) }))
const turnsBy = ({ exchange }: Trace, side: Turn['from']) =>
  exchange.filter(({ from }) => from === side).map(({ hex }) => hex)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Lets a reader talk with the machine of a published transfer; with what the machine heard in each turn. */
function replay<T>(
  trace: Trace,
  { baud, read, disturb }: { baud: number; read: Parameters<typeof openSession<T>>[1]; disturb?: Disturbance },
) {
  const heard: Uint8Array[] = []
  const machine = openSession(baud, (line) => playTrace(line, { turns: turnsOf(trace), pause: 40, heard }))
  const { carrier } = converse(openSession(baud, read), machine, { baud, disturb })
  if (!carrier.isDone) throw new Error(carrier.fault)
  return { reading: carrier.value, heard: heard.map((turn) => Buffer.from(turn).toString('hex')) }
}

test('a published transfer over DDCMP gives its file, byte for byte', () => {
  const trace = traces.ddcmpReader
  const { reading, heard } = replay(trace, {
    baud: 2400,
    read: (line) => readByDdcmp(line, { baud: 115_200, list: 1, clock: '2019-03-01T20:19:17' }),
  })
  expect(text(reading.file)).toBe(trace.file)
  expect(reading).toMatchObject({ baud: 2400, disturbances: 0 })

  const recorded = turnsBy(trace, 'carrier')
  // The recorded carrier leaves out "quick sync" in its headers, and requests the length FFFF where the standard has 0 for a whole list.
  const ours = new Map([
    [recorded[1], recorded[1]?.replace('8110000001011f82', '8110400001010a42')],
    [
      recorded[2],
      recorded[2]
        ?.replace('8109000102015370', '81094001020146b0')
        .replace('77e20001010000fffff1c2', '77e200010100000000f072'),
    ],
    [recorded.at(-1), recorded.at(-1)?.replace('8102000e0301c722', '8102400e0301d2e2')],
  ])
  expect(heard).toEqual(recorded.map((hex) => ours.get(hex) ?? hex))
})

test('our frames of DEX/UCS are the published ones', () => {
  const trace = traces.dexFrames
  // The second block is damaged on its way, so that it is refused once, as in the published exchange.
  const before = turnsBy(trace, 'machine').slice(0, 6).join('').length / 2
  const { reading, heard } = replay(trace, {
    baud: 9600,
    read: (line) => readByDex(line, { id: 'EPHOR00001', role: 'master', revision: 'R01L01' }),
    disturb: (byte, { from, index }) => [
      { byte: from === 'machine' && index === before + 5 ? byte ^ 1 : byte, delay: 0 },
    ],
  })
  expect(text(reading.file)).toBe(trace.file)
  expect(reading).toMatchObject({ machine: 'EPHOR00001', revision: 'R01L01', role: 'master' })
  expect(heard).toEqual(turnsBy(trace, 'carrier'))
})
