import { type Ack, deviceLimits } from '#contract/device-protocol.ts'
import type { Journal } from '#database/journal.ts'
import { committed, missing } from '#domain/journal.ts'

export interface Acknowledgements {
  /** Tells a machine what is stored, soon; many commits make one message. */
  note(serial: string, journal: Journal): void
  /** Remembers the last number that a machine says it has given out, so that what never came is asked for. */
  given(serial: string, seq: number): void
  forget(serial: string): void
  /** Sends what is still to be sent. */
  stop(): void
}

/** The same gap is not asked for again before this; what is on its way closes most gaps by itself. */
const askAgainMs = 3000

/** What the machine is told of its journal. */
export const ackOf = ({ epoch, seen }: Journal, given = 0): Ack => ({
  epoch,
  committed: committed(seen),
  missing: missing(seen, given, missingPerAck),
})
const missingPerAck = 50

export function createAcknowledgements(send: (serial: string, ack: Ack) => void): Acknowledgements {
  let waiting = new Map<string, Journal>()
  /** Machines with a gap, when it was last asked for, and the reminder that will ask. */
  const gaps = new Map<string, { askedAt: number; reminder?: NodeJS.Timeout | undefined; journal: Journal }>()
  const lastGiven = new Map<string, number>()

  function flush(): void {
    const told = waiting
    waiting = new Map()
    for (const [serial, journal] of told) sendAck(serial, journal)
  }

  function sendAck(serial: string, journal: Journal): void {
    const ack = ackOf(journal, lastGiven.get(serial))
    if (ack.missing.length === 0) {
      forgetGap(serial)
      return send(serial, ack)
    }
    const now = Date.now()
    const gap = gaps.get(serial) ?? { askedAt: 0, journal }
    gap.journal = journal
    gaps.set(serial, gap)
    const waitMs = gap.askedAt + askAgainMs - now
    if (waitMs <= 0) {
      gap.askedAt = now
      return send(serial, ack)
    }
    send(serial, { ...ack, missing: [] })
    gap.reminder ??= setTimeout(() => {
      gap.reminder = undefined
      sendAck(serial, gap.journal)
    }, waitMs)
    gap.reminder.unref()
  }

  function forgetGap(serial: string): void {
    clearTimeout(gaps.get(serial)?.reminder)
    gaps.delete(serial)
  }

  return {
    note(serial, journal) {
      // Before what one commit has to say leaves the process, so that it goes with the PUBACKs.
      if (waiting.size === 0) process.nextTick(flush)
      waiting.set(serial, journal)
    },
    given: (serial, seq) => {
      lastGiven.set(serial, seq)
    },
    forget(serial) {
      forgetGap(serial)
      lastGiven.delete(serial)
    },
    stop() {
      flush()
      for (const serial of [...gaps.keys()]) forgetGap(serial)
    },
  }
}

/** No message to a machine is larger; what is larger is never sent. */
export const fitsDown = (payload: string): boolean => Buffer.byteLength(payload) <= deviceLimits.downBytes
