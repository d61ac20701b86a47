import { changeRate, type Line, type Talk } from '../line/talk.ts'
import { longestFile, TransferFault } from '../line/transfer-fault.ts'
import { listen } from './listening.ts'
import { command, commands, control, dataBlock, lists, rateCode, rates, response } from './messages.ts'
import {
  deadLine,
  openStation,
  receiveData,
  resetNumbers,
  SessionRestarted,
  type Station,
  sendData,
  speak,
} from './station.ts'
import { ddcmpTimes, ddcmpTries, firstRate } from './times.ts'

export interface DdcmpOptions {
  /** The highest speed of the port; the machine may choose a lower one. */
  baud: number
  /** List 2 leaves the counters of the interval; list 1 lets the machine reset them. */
  list?: number
  /** Sixteen bits each. A machine without codes takes the first code that is not zero as its own. */
  securityCode?: number
  passCode?: number
  /** Our own clock, `2026-11-21T08:00:00`. */
  clock: string
  /** 1 is any machine at the end of the line. */
  address?: number
}

export interface DdcmpReading {
  file: Uint8Array
  /** The machine's serial number, where it has one in readable signs. */
  machine: string
  baud: number
  /** The machine has acknowledged FINISH, and so knows that it was read. */
  isFinished: boolean
  /** Faults of the line while the file was read. */
  disturbances: number
}

/** Reads a list of a machine: link, WHO ARE YOU, READ DATA, the file, FINISH (EVA-DTS 6.1, chapters 3.7 and 6.2.1). */
export function* readByDdcmp(line: Line, options: DdcmpOptions): Talk<DdcmpReading> {
  const station = openStation(line, options.address ?? 1)
  yield* link(station, options.baud)
  try {
    return yield* readLists(station, options)
  } catch (error) {
    const isBroken = error instanceof TransferFault && (error.code === 'notAccepted' || error.code === 'stalled')
    if (!isBroken && !(error instanceof SessionRestarted)) throw error
  }
  // After the last try the link is begun again, first at the speed that was agreed on (chapter 6.2.2.5).
  yield* relink(station, options.baud)
  try {
    return yield* readLists(station, options)
  } catch (error) {
    // A START that is not ours: another master, or an adapter that hears what it sends.
    throw error instanceof SessionRestarted ? new TransferFault('contention') : error
  }
}

function* readLists(station: Station, options: DdcmpOptions): Talk<DdcmpReading> {
  const { line } = station
  const { machine, extraReads } = yield* whoAreYou(station, options)
  const before = line.disturbances
  const files: Uint8Array[] = []
  for (let read = 0; read <= extraReads; read++) files.push(yield* readList(station, options.list ?? lists.security))
  const file = Uint8Array.from(files.flatMap((bytes) => [...bytes]))
  const disturbances = line.disturbances - before
  const isFinished = yield* finish(station)
  return { file, machine, baud: line.baud, isFinished, disturbances }
}

/** START until STACK comes, and again at the speed that both can do (chapters 3.4.2.2.3 and 3.6.2). */
function* link(station: Station, baud: number): Talk<void> {
  const { line } = station
  const wanted = rateCode(baud)
  const stack = (yield* startAt(station, wanted, ddcmpTries.start)) ?? (yield* startAt(station, 0, ddcmpTries.start))
  if (!stack) throw deadLine(station)
  const agreed = rates[Math.min(stack.slaveRate, stack.rate || wanted, wanted)]
  if (agreed === undefined || agreed === line.baud) return
  yield* changeRate(line, agreed)
  if (yield* startAt(station, rateCode(agreed), ddcmpTries.start)) return
  yield* changeRate(line, firstRate)
  if (!(yield* startAt(station, 0, ddcmpTries.start))) throw deadLine(station)
}

function* relink(station: Station, baud: number): Talk<void> {
  const { line } = station
  if (line.baud !== firstRate) {
    if (yield* startAt(station, rateCode(line.baud), ddcmpTries.data)) return
    yield* changeRate(line, firstRate)
  }
  yield* link(station, baud)
}

function* startAt(station: Station, rate: number, most: number): Talk<{ slaveRate: number; rate: number } | undefined> {
  const { line, ear, address } = station
  for (let tries = 0; tries < most; tries++) {
    yield* speak(station, control('start', { fifth: rate, address }))
    const until = line.now + ddcmpTimes.stack
    for (;;) {
      const heard = yield* listen(ear, until)
      if (heard.kind === 'stack') {
        resetNumbers(station)
        return heard
      }
      if (heard.kind === 'silence') break
      if (heard.kind === 'start' && tries + 1 === most) throw new TransferFault('echo')
    }
  }
  return undefined
}

/** Two decimal digits in a byte. */
const bcd = (digits: string) => Number.parseInt(digits, 16)
const highLow = (value: number) => [(value >>> 8) & 0xff, value & 0xff]

function* whoAreYou(station: Station, options: DdcmpOptions): Talk<{ machine: string; extraReads: number }> {
  const { securityCode = 0, passCode = 0, clock } = options
  const day = [clock.slice(8, 10), clock.slice(5, 7), clock.slice(2, 4)]
  const time = [clock.slice(11, 13), clock.slice(14, 16), clock.slice(17, 19)]
  yield* sendData(
    station,
    Uint8Array.of(
      command,
      commands.whoAreYou,
      0,
      ...highLow(securityCode),
      ...highLow(passCode),
      ...[...day, ...time].map(bcd),
      ...highLow(0),
      routePerson,
    ),
  )
  const answer = yield* answerTo(station, commands.whoAreYou, ddcmpTimes.message)
  if (answer[2] !== 1) throw new TransferFault('passCode')
  const serial = String.fromCharCode(...answer.subarray(7, 15))
  return { machine: /^[\x20-\x7e]+$/.test(serial) ? serial.trim() : '', extraReads: answer[17] ?? 0 }
}

/** Who reads: 0B is maintenance. */
const routePerson = 0x0c

function* answerTo(station: Station, code: number, patience: number): Talk<Uint8Array> {
  const { data } = yield* receiveData(station, patience)
  if (data[0] !== response || data[1] !== code) throw new TransferFault('badAnswer')
  return data
}

const unknownLength = 0xffff

function* readList(station: Station, list: number): Talk<Uint8Array> {
  yield* sendData(station, Uint8Array.of(command, commands.readData, 0, list, 1, 0, 0, 0, 0))
  const answer = yield* answerTo(station, commands.readData, ddcmpTimes.reading)
  if (answer[2] !== 1) throw new TransferFault('noList')
  const [low = 0, high = 0] = answer.subarray(7, 9)
  // The low byte comes first (chapter 6.1.1); some machines send the high one first.
  const lengths = [low | (high << 8), (low << 8) | high]
  const isKnown = lengths[0] !== unknownLength && lengths[0] !== 0
  const file: number[] = []
  let first: number | undefined
  for (let index = 0; ; index++) {
    const { data, isLast } = yield* receiveData(station, ddcmpTimes.reading)
    const [kind, number = 0] = data
    first ??= number
    if (kind !== dataBlock || number !== ((first + index) & 0xff)) throw new TransferFault('badAnswer')
    for (const byte of data.subarray(2)) file.push(byte)
    if (file.length > longestFile) throw new TransferFault('tooLong')
    // Old machines set the flag of the last block at other blocks too (chapter 6.1.3), so a given length decides.
    if (isKnown ? file.length === lengths[0] || (isLast && file.length === lengths[1]) : isLast) break
    if (isKnown && file.length > Math.max(...lengths)) throw new TransferFault('badAnswer')
  }
  return Uint8Array.from(file)
}

/** The file is whole already: without an answer only the machine does not know it. */
function* finish(station: Station): Talk<boolean> {
  try {
    yield* sendData(station, Uint8Array.of(command, commands.finish))
    return true
  } catch (error) {
    if (error instanceof TransferFault) return false
    throw error
  }
}
