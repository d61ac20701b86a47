import { type Line, send, type Talk } from '../line/talk.ts'
import { TransferFault } from '../line/transfer-fault.ts'
import { type Ear, type Heard, listen, openEar } from './listening.ts'
import { control, dataMessage, nackReasons } from './messages.ts'
import { ddcmpTimes, ddcmpTries } from './times.ts'

/*
 * The data link of DDCMP: one message at a time, each acknowledged by its number. EVA-DTS 6.1, chapters 3.5 and 3.7.2.
 */

export interface Station {
  line: Line
  ear: Ear
  address: number
  /** The number of the next message that we send. */
  sending: number
  /** The number of the last message that we received. */
  received: number
}

export const openStation = (line: Line, address: number): Station => ({
  line,
  ear: openEar(line),
  address,
  sending: 1,
  received: 0,
})

/** After START and STACK both count from the beginning (chapter 3.7.1). */
export function resetNumbers(station: Station): void {
  station.sending = 1
  station.received = 0
}

/** The other side began the session again. */
export class SessionRestarted extends Error {}

/** Speaks after the time in which the other side turns to hearing. */
export const speak = ({ line }: Station, bytes: Uint8Array) => send(line, bytes, ddcmpTimes.turnAround)

export function deadLine({ line, ear }: Station): TransferFault {
  if (line.heard === 0) return new TransferFault('silent')
  return new TransferFault(ear.understood === 0 ? 'noise' : 'stalled')
}

export interface Sent {
  /** Of a file without a given length, it is the last block. */
  isLast?: boolean
}

/**
 * Sends a data message until the other side has it: an ACK, a NACK or a data message that names its number says so. A NACK with another number,
 * and no answer, mean that it is sent again (chapter 3.7.2.1).
 */
export function* sendData(station: Station, data: Uint8Array, { isLast = false }: Sent = {}): Talk<void> {
  const { line, ear, address, sending: number } = station
  // A failed message has used its number too.
  station.sending = (number + 1) & 0xff
  for (let tries = 0; tries < ddcmpTries.data; tries++) {
    yield* speak(station, dataMessage({ isLast, received: station.received, number, address }, data))
    const until = line.now + ddcmpTimes.ack
    for (;;) {
      const heard: Heard = yield* listen(ear, until)
      if ((heard.kind === 'ack' || heard.kind === 'nack') && heard.number === number) return
      if (heard.kind === 'data' && heard.received === number) {
        // The data message that answers ours acknowledges it as well.
        ear.next = heard
        return
      }
      if (heard.kind === 'start') {
        ear.next = heard
        throw new SessionRestarted()
      }
      line.disturbances++
      // Another ACK may be the late one of the message before.
      if (heard.kind !== 'ack') break
    }
  }
  throw line.heard === 0 ? deadLine(station) : new TransferFault('notAccepted')
}

/**
 * Receives the next data message within milliseconds. Damaged ones are answered with one NACK, and repeated ones with a NACK that has their
 * number (chapter 3.7.2.2).
 */
export function* receiveData(station: Station, patience: number): Talk<{ data: Uint8Array; isLast: boolean }> {
  const { line, ear, address } = station
  const until = line.now + patience
  const nack = (reason: number) => speak(station, control('nack', { number: station.received, reason, address }))
  let hasComplained = false
  for (;;) {
    const heard: Heard = yield* listen(ear, until)
    if (heard.kind === 'silence') throw deadLine(station)
    if (heard.kind === 'start') {
      ear.next = heard
      throw new SessionRestarted()
    }
    if (heard.kind === 'rep') {
      line.disturbances++
      yield* nack(nackReasons.rep)
      continue
    }
    if (heard.kind === 'data' && heard.isWhole) {
      hasComplained = false
      if (heard.number === ((station.received + 1) & 0xff)) {
        station.received = heard.number
        yield* speak(station, control('ack', { number: heard.number, address }))
        return heard
      }
      line.disturbances++
      yield* nack(nackReasons.data)
    } else if (heard.kind === 'data' || heard.kind === 'corrupt') {
      // A second NACK could meet the repeated message on the line.
      if (!hasComplained) yield* nack(heard.kind === 'data' ? nackReasons.data : nackReasons.header)
      hasComplained = true
    }
  }
}
