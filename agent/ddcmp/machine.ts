import { changeRate, type Line, type Talk } from '../line/talk.ts'
import { TransferFault } from '../line/transfer-fault.ts'
import { listen } from './listening.ts'
import { command, commands, control, dataBlock, rateCode, rates, response } from './messages.ts'
import { openStation, receiveData, resetNumbers, SessionRestarted, type Station, sendData, speak } from './station.ts'
import { ddcmpTimes, firstRate } from './times.ts'

export interface DdcmpMachine {
  file: Uint8Array
  /** Eight characters. */
  serial: string
  /** The highest speed; undefined for a machine that cannot change it. */
  baud?: number
  securityCode?: number
  passCode?: number
  /** Bytes of the file in one block. */
  blockLength?: number
  /** Gives the length of the file with the answer, as old machines do; otherwise the last block says that it is the last one. */
  hasLength?: boolean
  /** The lists that it has. */
  lists?: readonly number[]
}

/** How long a machine waits for a reader. */
const waitMs = 3_600_000

/** A machine that gives out its audit file: the slave of the session (EVA-DTS 6.1, chapter 3.7). Ends with FINISH. */
export function* serveByDdcmp(line: Line, machine: DdcmpMachine): Talk<void> {
  const station = openStation(line, 1)
  for (;;) {
    try {
      yield* waitForStart(station, machine)
      yield* serveSession(station, machine)
      return
    } catch (error) {
      if (error instanceof SessionRestarted) continue
      if (!(error instanceof TransferFault)) throw error
      if (line.baud !== firstRate) yield* changeRate(line, firstRate)
    }
  }
}

function* waitForStart(station: Station, machine: DdcmpMachine): Talk<void> {
  const { line, ear } = station
  const until = line.now + (line.baud === firstRate ? waitMs : ddcmpTimes.message)
  for (;;) {
    const heard = yield* listen(ear, until)
    if (heard.kind === 'silence') throw new TransferFault('silent')
    if (heard.kind !== 'start') continue
    const own = machine.baud === undefined ? 0 : rateCode(machine.baud)
    const rate = Math.min(heard.rate || own, own)
    const { address } = station
    yield* speak(station, control('stack', { number: own, fifth: rate || heard.rate, address }))
    resetNumbers(station)
    const agreed = heard.rate === 0 ? undefined : rates[rate]
    if (agreed === undefined || agreed === line.baud) return
    yield* changeRate(line, agreed)
    return yield* waitForStart(station, machine)
  }
}

function* serveSession(station: Station, machine: DdcmpMachine): Talk<void> {
  let isKnown = false
  for (;;) {
    const { data } = yield* receiveData(station, ddcmpTimes.message)
    const [kind, code, , ...rest] = data
    if (kind !== command) continue
    if (code === commands.finish) return
    if (code === commands.whoAreYou) {
      isKnown = hasCodes(machine, rest)
      yield* sendData(station, whoIAm(machine, isKnown))
    } else if (code === commands.readData) {
      const [list = 0] = rest
      if (isKnown && (machine.lists ?? [1, 2]).includes(list)) yield* sendFile(station, machine, list)
      else yield* sendData(station, Uint8Array.of(response, commands.readData, 0))
    }
  }
}

function hasCodes(machine: DdcmpMachine, [high = 0, low = 0, passHigh = 0, passLow = 0]: readonly number[]): boolean {
  const { securityCode = 0, passCode = 0 } = machine
  if (securityCode === 0 && passCode === 0) return true
  return ((high << 8) | low) === securityCode && ((passHigh << 8) | passLow) === passCode
}

function whoIAm(machine: DdcmpMachine, isKnown: boolean): Uint8Array {
  if (!isKnown) return Uint8Array.of(response, commands.whoAreYou, 0, 1)
  const serial = new TextEncoder().encode(machine.serial.padStart(8, '0').slice(-8))
  return Uint8Array.of(response, commands.whoAreYou, 1, 0, 0, 0, 0, ...serial, 1, 0, 0, 0, 0, 0)
}

function* sendFile(station: Station, { file, blockLength = 240, hasLength }: DdcmpMachine, list: number): Talk<void> {
  const length = hasLength ? file.length : 0xffff
  const lengths = [length & 0xff, length >>> 8]
  yield* sendData(station, Uint8Array.of(response, commands.readData, 1, list, 1, 0, 0, ...lengths))
  const count = Math.max(1, Math.ceil(file.length / blockLength))
  for (let index = 0; index < count; index++) {
    const part = file.subarray(index * blockLength, (index + 1) * blockLength)
    const isLast = index === count - 1
    yield* sendData(station, Uint8Array.of(dataBlock, index & 0xff, ...part), { isLast })
  }
}
