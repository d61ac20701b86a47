import { type Ack, deviceLimits, protocolVersion, type Refusal, type ServerTime } from '#contract/device-protocol.ts'
import type { Journal } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { committed, missing } from '#domain/machines/journal.ts'
import { offsetAt } from '#domain/time/local-hour.ts'

type Machine = Pick<KnownMachine, 'serial' | 'timeZone'>

export interface Acknowledgements {
  /** Acknowledges stored items soon. Several commits share one message. */
  note(machine: Machine, journal: Journal): void
  /** Reports refused items to a machine, with its next ack or in a separate ack a moment later. */
  refuse(serial: string, refused: readonly Refusal[]): void
  /** Stores the last number that the machine has assigned, so that missing items are requested. */
  assigned(serial: string, seq: number): void
  /** Sends the state of a machine's journal, if it is reachable. */
  repeat(serial: string): Promise<void>
  forget(serial: string): void
  /** Sends pending acks. */
  stop(): void
}

/** Minimum time between two requests for one gap. Items in transit close most gaps. */
const requestAgainMs = 3000

/** Refusals of messages without a journal wait this long, so that the journal is read once for all of them. */
const refusalsMs = 500
/** Maximum refusals in one ack, so that it fits into a message. The rest follows when the item is sent again. */
const refusalsSent = { groups: 60, numbers: 2000 }
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
export const ackOf = (
  { epoch, seen }: Journal,
  { timeZone, recovery, lastAssigned = 0 }: { timeZone: string; recovery: number; lastAssigned?: number | undefined },
): Ack => ({
  epoch,
  committed: committed(seen),
  missing: missing(seen, lastAssigned, missingPerAck),
  protocol: protocolVersion,
  recovery,
  time: serverTime(timeZone),
})
const missingPerAck = 50

export function createAcknowledgements(parts: {
  send: (serial: string, ack: Ack) => void
  isReachable: (serial: string) => boolean
  /** Changes when the database was restored. */
  recovery: () => number
  /** The machine with its current journal. */
  find: (serial: string) => Promise<{ machine: Machine; journal: Journal } | null>
  /** Called when a refusal could not be sent. */
  onFailure: (error: unknown) => void
}): Acknowledgements {
  let waiting = new Map<string, { machine: Machine; journal: Journal }>()
  /** Machines with a gap, with the time of the last request and the timer of the next request. */
  const gaps = new Map<string, { requestedAt: number; reminder?: NodeJS.Timeout | undefined; journal: Journal }>()
  const lastGiven = new Map<string, number>()
  const refusals = new Map<string, Refusal[]>()
  let sending: NodeJS.Timeout | undefined

  function flush(): void {
    const unsent = waiting
    waiting = new Map()
    for (const { machine, journal } of unsent.values()) sendAck(machine, journal)
  }

  function sendAck(machine: Machine, journal: Journal): void {
    const { serial } = machine
    const refused = refusals.get(serial)
    refusals.delete(serial)
    const state = { timeZone: machine.timeZone, recovery: parts.recovery(), lastAssigned: lastGiven.get(serial) }
    const ack = { ...ackOf(journal, state), ...(refused && { refused }) }
    if (ack.missing.length === 0) {
      forgetGap(serial)
      return parts.send(serial, ack)
    }
    const now = Date.now()
    const gap = gaps.get(serial) ?? { requestedAt: 0, journal }
    gap.journal = journal
    gaps.set(serial, gap)
    const waitMs = gap.requestedAt + requestAgainMs - now
    if (waitMs <= 0) {
      gap.requestedAt = now
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

  async function sendRefused(): Promise<void> {
    sending = undefined
    for (const serial of [...refusals.keys()]) {
      // An offline machine gets it with the first ack after it reconnects.
      if (!parts.isReachable(serial)) continue
      const recipient = await parts.find(serial).catch((error: unknown) => void parts.onFailure(error))
      if (recipient && refusals.has(serial)) sendAck(recipient.machine, recipient.journal)
    }
  }

  return {
    note(machine, journal) {
      // Runs before the results of this commit leave the process, so that the ack leaves with the PUBACKs.
      if (waiting.size === 0) process.nextTick(flush)
      waiting.set(machine.serial, { machine, journal })
    },
    refuse(serial, refused) {
      const unsent = refusals.get(serial) ?? []
      let numbers = unsent.reduce((sum, { seqs }) => sum + seqs.length, 0)
      for (const one of refused) {
        numbers += one.seqs.length
        if (unsent.length >= refusalsSent.groups || numbers > refusalsSent.numbers) break
        unsent.push(one)
      }
      if (refusals.size >= refusedMachines) refusals.clear()
      refusals.set(serial, unsent)
      sending ??= setTimeout(sendRefused, refusalsMs).unref()
    },
    async repeat(serial) {
      if (!parts.isReachable(serial)) return
      const recipient = await parts.find(serial)
      if (recipient) sendAck(recipient.machine, recipient.journal)
    },
    assigned: (serial, seq) => {
      lastGiven.set(serial, seq)
    },
    forget(serial) {
      forgetGap(serial)
      lastGiven.delete(serial)
    },
    stop() {
      flush()
      clearTimeout(sending)
      for (const serial of [...gaps.keys()]) forgetGap(serial)
    },
  }
}

/** Messages to machines are never larger. A larger message is not sent. */
export const fitsDown = (payload: string): boolean => Buffer.byteLength(payload) <= deviceLimits.downBytes
