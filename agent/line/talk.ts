import { TransferFault } from './transfer-fault.ts'

/**
 * A protocol is a generator that asks its line to send, to listen and to change the speed, and is given the time with each answer. It has no
 * clock and no I/O, so a test runs it in virtual time.
 */
export type Talk<T> = Generator<Ask, T, Given>

export type Ask =
  /** Sends after a pause in milliseconds, and continues when the last bit is out. */
  | { kind: 'send'; bytes: Uint8Array; pause: number }
  /** The next byte, or none at this time. */
  | { kind: 'byte'; until: number }
  /** Another speed, in bits per second. */
  | { kind: 'rate'; baud: number }

/** Times are milliseconds of a clock that only goes forward. */
export interface Given {
  now: number
  byte?: number
}

/** The state of a line that its session and its protocol share. */
export interface Line {
  now: number
  baud: number
  /** All bytes heard. */
  heard: number
  /** Bytes without a meaning, broken blocks, repetitions and time-outs. A transfer without any was clean. */
  disturbances: number
}

export const openLine = (baud: number): Line => ({ now: 0, baud, heard: 0, disturbances: 0 })

/** A byte has a start bit, eight data bits and a stop bit. */
export const bitsOfByte = 10

/** Milliseconds that bytes need at a speed. */
export const lineTime = (bytes: number, baud: number) => (bytes * bitsOfByte * 1000) / baud

/** Sends bytes after a pause. */
export function* send(line: Line, bytes: Uint8Array, pause: number): Talk<void> {
  line.now = (yield { kind: 'send', bytes, pause }).now
}

/** The next byte, or undefined when `until` comes first. */
export function* hear(line: Line, until: number): Talk<number | undefined> {
  const given = yield { kind: 'byte', until }
  line.now = given.now
  if (given.byte !== undefined && ++line.heard > noiseLimit) throw new TransferFault('tooLong')
  return given.byte
}

/** A file of the largest size, sent five times, with its frames. More than that is no transfer. */
const noiseLimit = 6 * 1024 * 1024

/** Passes a time in which everything that arrives is dropped. */
export function* pass(line: Line, ms: number): Talk<void> {
  const until = line.now + ms
  while ((yield* hear(line, until)) !== undefined) line.disturbances++
}

/** Changes the speed. */
export function* changeRate(line: Line, baud: number): Talk<void> {
  line.baud = baud
  line.now = (yield { kind: 'rate', baud }).now
}
