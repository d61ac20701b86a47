import { hear, type Line, type Talk } from '../line/talk.ts'
import { controlStart, controls, type DataHeader, dataStart, headerLength, holds, readHeader } from './messages.ts'
import { ddcmpTimes } from './times.ts'

export type Heard =
  | { kind: 'silence' | 'corrupt' }
  | { kind: 'start'; rate: number; address: number }
  | { kind: 'stack'; slaveRate: number; rate: number }
  | { kind: 'ack' | 'nack' | 'rep'; number: number }
  | ({ kind: 'data'; data: Uint8Array; isWhole: boolean } & DataHeader)

export interface Ear {
  line: Line
  /** Bytes that are read again: the header that they seemed to be was none. */
  again: number[]
  understood: number
  next?: Heard
}

export const openEar = (line: Line): Ear => ({ line, again: [], understood: 0 })

function* nextByte(ear: Ear, until: number): Talk<number | undefined> {
  return ear.again.shift() ?? (yield* hear(ear.line, until))
}

/**
 * The next message; or silence at `until`; or `corrupt` when the line fell idle after bytes that were no message. A message is found by a
 * header whose check holds (chapter 3.4.5).
 */
export function* listen(ear: Ear, until: number): Talk<Heard> {
  const { line } = ear
  if (ear.next) {
    const heard = ear.next
    ear.next = undefined
    return heard
  }
  let isCorrupt = false
  for (;;) {
    const idle = line.now + ddcmpTimes.betweenBytes
    const first = yield* nextByte(ear, isCorrupt ? idle : until)
    if (first === undefined) return { kind: isCorrupt ? 'corrupt' : 'silence' }
    const heard = first === controlStart || first === dataStart ? yield* restOf(ear, first) : undefined
    if (heard) {
      if (heard.kind === 'data' && !heard.isWhole) line.disturbances++
      ear.understood++
      return heard
    }
    line.disturbances++
    isCorrupt = true
  }
}

function* restOf(ear: Ear, first: number): Talk<Heard | undefined> {
  const header = [first, ...(yield* someBytes(ear, headerLength - 1))]
  if (header.length < headerLength || !holds(header)) {
    ear.again.unshift(...header.slice(1))
    return undefined
  }
  if (first === controlStart) return controlOf(header)
  const facts = readHeader(header)
  const data = yield* someBytes(ear, facts.length + 2)
  const isWhole = data.length === facts.length + 2 && holds(data)
  return { kind: 'data', ...facts, data: Uint8Array.from(data.slice(0, -2)), isWhole }
}

/** As many bytes as come without a gap, up to a number. */
function* someBytes(ear: Ear, count: number): Talk<number[]> {
  const bytes: number[] = []
  while (bytes.length < count) {
    const byte = yield* nextByte(ear, ear.line.now + ddcmpTimes.betweenBytes)
    if (byte === undefined) break
    bytes.push(byte)
  }
  return bytes
}

function controlOf([, kind, , fourth = 0, fifth = 0, address = 0]: readonly number[]): Heard | undefined {
  if (kind === controls.ack) return { kind: 'ack', number: fourth }
  if (kind === controls.nack) return { kind: 'nack', number: fourth }
  if (kind === controls.rep) return { kind: 'rep', number: fourth }
  if (kind === controls.start) return { kind: 'start', rate: fifth, address }
  if (kind === controls.stack) return { kind: 'stack', slaveRate: fourth, rate: fifth }
  return undefined
}
