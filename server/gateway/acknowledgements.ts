import { type Ack, deviceLimits, protocolVersion, type Refusal, type ServerTime } from '#contract/device-protocol.ts'
import type { Journal } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { committed, missing } from '#domain/machines/journal.ts'
import { offsetAt } from '#domain/time/local-hour.ts'

type Machine = Pick<KnownMachine, 'serial' | 'timeZone'>

export interface Acknowledgements {
  /** Tells a machine what is stored, soon; many commits make one message. */
  note(machine: Machine, journal: Journal): void
  /** Tells a machine what was refused: with its next ack, or with one of its own a moment later. */
  refuse(serial: string, refused: readonly Refusal[]): void
  /** Stores the last number that a machine has given out, so that missing items are requested. */
  given(serial: string, seq: number): void
  forget(serial: string): void
  /** Sends what is still to be sent. */
  stop(): void
}

/** The same gap is not requested again before this; items in transit close most gaps. */
const askAgainMs = 3000

/** Refusals of messages without a journal are gathered this long, to read the journal only once for all of them. */
const refusalsMs = 500
/** Maximum of refusals in one ack, so that it fits into a message. The rest follows when the item is sent again. */
const refusalsTold = { groups: 60, numbers: 2000 }
const refusedMachines = 10_000

let clock: { second: number; utc: string; local: Map<string, string> } = { second: 0, utc: '', local: new Map() }

/** The server's time in UTC and in the machine's zone. */
export function serverTime(timeZone: string, now = Date.now()): ServerTime {
  const second = Math.floor(now / 1000)
  if (second !== clock.second) clock = { second, utc: `${textOf(second * 1000)}Z`, local: new Map() }
  let local = clock.local.get(timeZone)
  if (local === undefined) {
    local = textOf(second * 1000 + offsetAt(second * 1000, timeZone))
    clock.local.set(timeZone, local)
  }
  return { utc: clock.utc, local }
}
const textOf = (naive: number) => new Date(naive).toISOString().slice(0, 19)

/** The ack for the machine's journal. */
export const ackOf = ({ epoch, seen }: Journal, timeZone: string, given = 0): Ack => ({
  epoch,
  committed: committed(seen),
  missing: missing(seen, given, missingPerAck),
  protocol: protocolVersion,
  time: serverTime(timeZone),
})
const missingPerAck = 50

export function createAcknowledgements(parts: {
  send: (serial: string, ack: Ack) => void
  isReachable: (serial: string) => boolean
  /** The machine with its journal as it is. */
  find: (serial: string) => Promise<{ machine: Machine; journal: Journal } | null>
  /** Called when a refusal could not be sent. */
  onFailure: (error: unknown) => void
}): Acknowledgements {
  let waiting = new Map<string, { machine: Machine; journal: Journal }>()
  /** Machines with a gap, the time of the last request, and the timer of the next. */
  const gaps = new Map<string, { askedAt: number; reminder?: NodeJS.Timeout | undefined; journal: Journal }>()
  const lastGiven = new Map<string, number>()
  const refusals = new Map<string, Refusal[]>()
  let telling: NodeJS.Timeout | undefined

  function flush(): void {
    const told = waiting
    waiting = new Map()
    for (const { machine, journal } of told.values()) sendAck(machine, journal)
  }

  function sendAck(machine: Machine, journal: Journal): void {
    const { serial } = machine
    const refused = refusals.get(serial)
    refusals.delete(serial)
    const ack = { ...ackOf(journal, machine.timeZone, lastGiven.get(serial)), ...(refused && { refused }) }
    if (ack.missing.length === 0) {
      forgetGap(serial)
      return parts.send(serial, ack)
    }
    const now = Date.now()
    const gap = gaps.get(serial) ?? { askedAt: 0, journal }
    gap.journal = journal
    gaps.set(serial, gap)
    const waitMs = gap.askedAt + askAgainMs - now
    if (waitMs <= 0) {
      gap.askedAt = now
      return parts.send(serial, ack)
    }
    parts.send(serial, { ...ack, missing: [] })
    gap.reminder ??= setTimeout(() => {
      gap.reminder = undefined
      sendAck(machine, gap.journal)
    }, waitMs)
    gap.reminder.unref()
  }

  function forgetGap(serial: string): void {
    clearTimeout(gaps.get(serial)?.reminder)
    gaps.delete(serial)
  }

  async function tellRefused(): Promise<void> {
    telling = undefined
    for (const serial of [...refusals.keys()]) {
      // An offline machine gets it with the first ack after it reconnects.
      if (!parts.isReachable(serial)) continue
      const found = await parts.find(serial).catch((error: unknown) => void parts.onFailure(error))
      if (found && refusals.has(serial)) sendAck(found.machine, found.journal)
    }
  }

  return {
    note(machine, journal) {
      // Before what one commit has to say leaves the process, so that it goes with the PUBACKs.
      if (waiting.size === 0) process.nextTick(flush)
      waiting.set(machine.serial, { machine, journal })
    },
    refuse(serial, refused) {
      const told = refusals.get(serial) ?? []
      let numbers = told.reduce((sum, { seqs }) => sum + seqs.length, 0)
      for (const one of refused) {
        numbers += one.seqs.length
        if (told.length >= refusalsTold.groups || numbers > refusalsTold.numbers) break
        told.push(one)
      }
      if (refusals.size >= refusedMachines) refusals.clear()
      refusals.set(serial, told)
      telling ??= setTimeout(tellRefused, refusalsMs).unref()
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
      clearTimeout(telling)
      for (const serial of [...gaps.keys()]) forgetGap(serial)
    },
  }
}

/** No message to a machine is larger; what is larger is never sent. */
export const fitsDown = (payload: string): boolean => Buffer.byteLength(payload) <= deviceLimits.downBytes
