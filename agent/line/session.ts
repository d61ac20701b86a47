import { type Ask, type Given, type Line, lineTime, openLine, type Talk } from './talk.ts'
import { TransferFault, type TransferFaultCode } from './transfer-fault.ts'

/** What the owner of a port does now. */
export type LineAct = { kind: 'send'; bytes: Uint8Array } | { kind: 'rate'; baud: number }

export type TransferOutcome<T> = { isDone: true; value: T } | { isDone: false; fault: TransferFaultCode }

export interface LineStep<T> {
  acts: LineAct[]
  /** When to call `wake`, if no byte arrives earlier. */
  wakeAt: number | undefined
  /** Set once, at the end. */
  outcome?: TransferOutcome<T>
}

/** A protocol as a state machine: bytes and time in; bytes, a timer and a result out. */
export interface LineSession<T> {
  begin(now: number): LineStep<T>
  take(bytes: Uint8Array, now: number): LineStep<T>
  wake(now: number): LineStep<T>
}

/** A session of a protocol on a line that begins at a speed, in bits per second. */
export function openSession<T>(baud: number, protocol: (line: Line) => Talk<T>): LineSession<T> {
  const line = openLine(baud)
  const talk = protocol(line)
  const arrived: { byte: number; at: number }[] = []
  let ask: Ask | undefined
  /** When what is being sent is due, and then when its last bit is out. */
  let sending: { due: number } | { end: number } | undefined
  let outcome: TransferOutcome<T> | undefined

  function resume(given: Given) {
    line.now = Math.max(line.now, given.now)
    const now = line.now
    try {
      const next = talk.next({ ...given, now })
      ask = next.done ? undefined : next.value
      if (next.done) outcome = { isDone: true, value: next.value }
    } catch (error) {
      if (!(error instanceof TransferFault)) throw error
      ask = undefined
      outcome = { isDone: false, fault: error.code }
    }
    sending = ask?.kind === 'send' ? { due: now + ask.pause } : undefined
  }

  /** Answers the asks of the protocol until one has to wait. */
  function proceed(now: number): LineStep<T> {
    const acts: LineAct[] = []
    while (ask) {
      const waitUntil = answer(ask, now, acts)
      if (waitUntil !== undefined) return { acts, wakeAt: waitUntil }
    }
    return { acts, wakeAt: undefined, outcome }
  }

  /** Returns the time to wait for, or undefined when the protocol has continued. */
  function answer(asked: Ask, now: number, acts: LineAct[]): number | undefined {
    if (asked.kind === 'rate') {
      acts.push(asked)
      resume({ now })
    } else if (asked.kind === 'byte') {
      const [first] = arrived
      if (first && first.at <= asked.until) {
        arrived.shift()
        resume({ now: first.at, byte: first.byte })
      } else if (now >= asked.until) resume({ now: asked.until })
      else return asked.until
    } else if (sending && 'due' in sending) {
      if (now < sending.due) return sending.due
      acts.push({ kind: 'send', bytes: asked.bytes })
      sending = { end: now + lineTime(asked.bytes.length, line.baud) }
    } else if (sending) {
      if (now < sending.end) return sending.end
      resume({ now: sending.end })
    }
    return undefined
  }

  return {
    begin(now) {
      line.now = now
      resume({ now })
      return proceed(now)
    },
    take(bytes, now) {
      for (const byte of bytes) arrived.push({ byte, at: now })
      return proceed(now)
    },
    wake: proceed,
  }
}
