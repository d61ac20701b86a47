import { crc16 } from '#domain/audits/eva-dts/crc.ts'

/*
 * Messages of the vending industry's DDCMP: EVA-DTS 6.1, chapter 3.6. Each begins with six bytes and their check; a data message continues with
 * data and a check of its own.
 */

export const controlStart = 0x05
export const dataStart = 0x81
export const headerLength = 8

/** The second byte of control messages. REP is of the original DDCMP: some stations send it instead of the message itself. */
export const controls = { ack: 0x01, nack: 0x02, rep: 0x03, start: 0x06, stack: 0x07 } as const

/** Quick sync: no message follows directly. Always set. */
const quickSync = 0x40
/** Select: of a file whose length was not given, this is the last block. */
const select = 0x80

/** Reasons of a NACK: chapter 3.6.2. */
export const nackReasons = { header: 1, data: 2, rep: 3, noBuffer: 8, tooLong: 16, format: 17 } as const

/** What data messages begin with. */
export const command = 0x77
export const response = 0x88
export const dataBlock = 0x99
export const commands = { whoAreYou: 0xe0, readData: 0xe2, finish: 0xff } as const

/** List 1 marks counters of the interval to be reset after FINISH; list 2 leaves them (chapter 3.6.1.2). */
export const lists = { audit: 1, security: 2 } as const

/** Codes of speeds, in bits per second: chapter 3.6.2. */
export const rates: readonly (number | undefined)[] = [
  undefined,
  1200,
  2400,
  4800,
  9600,
  19_200,
  38_400,
  57_600,
  115_200,
]

/** The code of the highest speed up to this one. */
export const rateCode = (baud: number) => rates.findLastIndex((rate) => rate !== undefined && rate <= baud)

/** Bytes and their check, the low byte first. */
export function checked(bytes: readonly number[]): number[] {
  const check = crc16(Uint8Array.from(bytes))
  return [...bytes, check & 0xff, check >>> 8]
}

/** Whether the last two bytes are the check of those before. */
export const holds = (bytes: readonly number[]) => crc16(Uint8Array.from(bytes)) === 0

interface ControlFacts {
  /** The number of a message; of STACK the speed of the slave. */
  number?: number
  /** Of START and STACK the speed that the master offers. */
  fifth?: number
  address?: number
  /** Of a NACK. */
  reason?: number
}

export const control = (kind: keyof typeof controls, facts: ControlFacts = {}): Uint8Array => {
  const { number = 0, fifth = 0, address = 1, reason = 0 } = facts
  return Uint8Array.from(checked([controlStart, controls[kind], quickSync | reason, number, fifth, address]))
}

export interface DataHeader {
  length: number
  isLast: boolean
  /** The last message that its sender received. */
  received: number
  /** Its own number. */
  number: number
  address: number
}

export function dataMessage(header: Omit<DataHeader, 'length'>, data: Uint8Array): Uint8Array {
  const flags = quickSync | (header.isLast ? select : 0)
  const { length } = data
  const first = [dataStart, length & 0xff, flags | (length >>> 8), header.received, header.number, header.address]
  return Uint8Array.from([...checked(first), ...checked([...data])])
}

export function readHeader(bytes: readonly number[]): DataHeader {
  const [, low = 0, flags = 0, received = 0, number = 0, address = 0] = bytes
  return { length: ((flags & 0x3f) << 8) | low, isLast: (flags & select) !== 0, received, number, address }
}
