import type { Claim, Hello, ResultItem, State } from '#contract/device-protocol.ts'
import { deviceLimits, UpKind } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { knownPrice } from '#database/audits/known-price.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isTransient } from '#database/frame/transient.ts'
import { type Journal, lockJournals, readJournal, writeJournals } from '#database/ingest/journal.ts'
import { type Condition, writeBootInfo } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { addStretches, isSeen } from '#domain/machines/journal.ts'
import { driftOf, happenedAt, naiveOf, readerOf } from '#domain/time/clock.ts'
import { auditFacts, withRemarks } from './audits/audit-entry.ts'
import { type AuditReader, AuditThreadError } from './audits/audit-reader.ts'
import { type Batcher, StoppedError } from './batcher.ts'
import type { Commands } from './commands.ts'
import type { Conditions } from './conditions.ts'
import type { DeadLetterBox } from './dead-letter-box.ts'
import type { OnceLog } from './log.ts'
import { counted } from './metrics.ts'
import {
  type BadItem,
  type BatchKind,
  type Fault,
  type Head,
  isBatchKind,
  jsonOf,
  rawItems,
  readAuditMessage,
  readBatch,
  readUnknownKind,
  readWhole,
  type WholeKind,
} from './read-message.ts'
import { type Incoming, nothing, type Reception } from './reception.ts'
import { setItemsAside, wholeRefusal } from './refusals.ts'
import type { Entry, StoreInput, StoreOutcome } from './store-batch.ts'

/** Nothing of the machine is there any more, or it has a new secret: its connections are to be closed. */
export class MachineGoneError extends Error {
  constructor() {
    super('The machine is no longer there')
    this.name = 'MachineGoneError'
  }
}

/** So long after it was taken a reading still says how the machine is now. */
const currentMs = 15 * 60_000

/** How far back a machine's clock is believed. */
export const keptDays = 90

export interface Receiver {
  receive(machine: KnownMachine, incoming: Incoming): Promise<Reception>
}

/** Why nothing of a message was stored, and what a machine does then. */
const whyNot = {
  staleEpoch: 'an association has begun since; the items are still the machine’s, to be numbered in its epoch',
  tooManyGaps: `the machine’s numbers would have more than ${deviceLimits.gaps} gaps; send what is missing first`,
} as const

/** A drift is a whole number of seconds that the database can hold. */
const driftLimit = 2_147_483_647

/** What of a message is to be stored, and the head that its items are kept with. An audit without an envelope belongs to no journal. */
interface Items {
  head: (Pick<Head, 'epoch'> & Partial<Head>) | null
  entries: Entry[]
  bad: BadItem[]
}

export function createReceiver(parts: {
  doors: Doors
  batcher: Batcher<StoreInput & { weight: number }, StoreOutcome>
  conditions: Conditions
  commands: Commands
  deadLetters: DeadLetterBox
  audits: AuditReader
  logOnce: OnceLog
  forgetMachine: (serial: string) => void
}): Receiver {
  const { doors, batcher, conditions, commands, deadLetters } = parts

  const wholeScope = ({ merchantId }: KnownMachine) => [{ merchantId, groups: 'all' as const }]

  /** Refuses a whole message, of which the machine still has everything. */
  const refuse = async (
    machine: KnownMachine,
    { kind, transport, payload, isReplay }: Incoming,
    fault: Fault,
    id?: string,
  ) => {
    const refusal = { ...nothing, refused: [wholeRefusal(kind, fault, id)], isRefused: true }
    if (isReplay) return refusal
    await deadLetters.keep({
      serial: machine.serial,
      merchantId: machine.merchantId,
      kind,
      transport,
      reason: `${fault.code}: ${fault.detail}`,
      payload: payload.subarray(0, deviceLimits.auditBytes),
    })
    return refusal
  }

  /** Sets items aside; without a number, and of an association that is over, nothing of them can be acknowledged. */
  async function setAside(machine: KnownMachine, incoming: Incoming, { head, bad }: Omit<Items, 'entries'>) {
    const none = { passedOver: [], refused: [] }
    if (bad.length === 0) return none
    if (incoming.isReplay || !head) {
      const refused = bad.map((item) => wholeRefusal(incoming.kind, item))
      for (const item of bad) await refuse(machine, incoming, item)
      return { ...none, refused }
    }
    if (head.epoch === machine.epoch) return setItemsAside(deadLetters, machine, { ...incoming, head }, bad)
    // What is known of the machine may be older than the message.
    parts.forgetMachine(machine.serial)
    return none
  }

  /** What a message's clock says of the machine's; nothing when it was sent before. */
  function measuredDrift(machine: KnownMachine, sentAt: number | null, incoming: Incoming): number | null {
    if (sentAt === null || incoming.isRepeated) return null
    return driftOf(incoming.receivedAt.getTime(), sentAt, machine.timeZone)
  }

  const conditionOf = (
    machine: KnownMachine,
    { receivedAt }: Incoming,
    drift: number | null,
    news: Partial<Condition>,
  ): Condition => ({
    merchantId: machine.merchantId,
    machineId: machine.id,
    lastSeenAt: receivedAt,
    connection: connections.online,
    ...news,
    ...driftNews(machine, drift),
  })

  function heardOf(
    machine: KnownMachine,
    incoming: Incoming,
    drift: number | null,
    news: Partial<Condition> = {},
  ): void {
    // What is told once more by support says nothing of how the machine is now.
    if (!incoming.isReplay) conditions.note(conditionOf(machine, incoming, drift, news))
  }

  /** A drift is worth writing down when it has changed by more than messages take. */
  function driftNews(machine: KnownMachine, drift: number | null): { driftSeconds?: number } {
    if (drift === null) return {}
    const seconds = Math.max(-driftLimit, Math.min(driftLimit, Math.round(drift / 1000)))
    if (machine.driftSeconds !== null && Math.abs(machine.driftSeconds - seconds) < 5) return {}
    machine.driftSeconds = seconds
    return { driftSeconds: seconds }
  }

  async function storeItems(machine: KnownMachine, incoming: Incoming, items: Items): Promise<Reception> {
    const { head, entries } = items
    const epoch = head?.epoch ?? null
    const { passedOver, refused } = await setAside(machine, incoming, items)
    const input = { machine, epoch, entries, setAside: passedOver, ...replayOf(incoming) }
    let outcome: StoreOutcome
    try {
      outcome = await batcher.add({ ...input, weight: Math.max(1, entries.length) })
    } catch (error) {
      if (error instanceof StoppedError || isTransient(error)) throw error
      const detail = error instanceof Error ? error.message : 'unknown'
      const others = await storeOneByOne(machine, incoming, items, `not storable, ${detail}`)
      // Their letters are there already: only the journal is still to go on without them.
      if (passedOver.length > 0) others.journal = (await batcher.add({ ...input, entries: [], weight: 1 })).journal
      return { ...others, refused: [...refused, ...others.refused] }
    }
    counted.items.inc({ outcome: 'stored' }, outcome.stored)
    counted.items.inc({ outcome: 'repeated' }, outcome.repeated)
    if (outcome.status === 'gone') {
      parts.forgetMachine(machine.serial)
      throw new MachineGoneError()
    }
    const { journal, stored, repeated, status } = outcome
    if (status !== 'stored') {
      if (status === 'staleEpoch') parts.forgetMachine(machine.serial)
      return { ...(await refuse(machine, incoming, { code: status, detail: whyNot[status] }, head?.id)), journal }
    }
    const unclaimed = await setAside(machine, incoming, { head, bad: outcome.refusedResults.map(notClaimed) })
    refused.push(...unclaimed.refused)
    const isRefused = refused.length > 0 && stored + repeated === outcome.refusedResults.length
    return { ...nothing, journal, stored, repeated, refused, isRefused }
  }

  /** The database takes something of them in no way: that item alone is set aside, and the journal goes on without it. */
  async function storeOneByOne(machine: KnownMachine, incoming: Incoming, { head, entries }: Items, detail: string) {
    const [only] = entries
    if (only && entries.length === 1) {
      const raw = incoming.kind === 'audit' ? undefined : rawItems(incoming.payload).get(only.seq ?? 0)
      const bad: BadItem = { code: 'invalidItem', detail, seq: only.seq, index: 0, raw }
      return storeItems(machine, incoming, { head, entries: [], bad: [bad] })
    }
    const all = await Promise.all(
      entries.map((entry) => storeItems(machine, incoming, { head, entries: [entry], bad: [] })),
    )
    const sum = (of: (one: Reception) => number) => all.reduce((total, one) => total + of(one), 0)
    return {
      ...nothing,
      journal: all.at(-1)?.journal ?? null,
      stored: sum(({ stored }) => stored),
      repeated: sum(({ repeated }) => repeated),
      refused: all.flatMap(({ refused }) => refused),
      isRefused: all.every(({ isRefused }) => isRefused),
    }
  }

  const replayOf = ({ isReplay = false, isOfPastEpoch = false }: Incoming) => ({ isReplay, isOfPastEpoch })

  const notClaimed = (item: ResultItem): BadItem => ({
    code: 'invalidItem',
    detail: 'a result of a command that this machine was not told to execute',
    seq: item.seq,
    index: 0,
    raw: item,
  })

  async function receiveBatch(machine: KnownMachine, incoming: Incoming, kind: BatchKind): Promise<Reception> {
    const read = readBatch(kind, incoming.payload)
    if ('fault' in read) return refuse(machine, incoming, read.fault)
    const { head, unknown, bad } = read.value
    const sentAt = naiveOf(head.at)
    const happened = readerOf(readingOf(machine, incoming, sentAt))
    const entries = read.value.items.map((item, index) => {
      const at = happened(naiveOf(item.at))
      return { kind, seq: item.seq, at, machineTime: item.at, item, unknown: unknown.get(index) } as Entry
    })
    const lastSale = kind === 'sale' && entries.length > 0 ? Math.max(...entries.map(({ at }) => at)) : null
    const drift = measuredDrift(machine, sentAt, incoming)
    heardOf(machine, incoming, drift, {
      ...(lastSale !== null && { lastSaleAt: new Date(lastSale) }),
      ...measuredNow(entries, incoming.receivedAt),
    })
    return storeItems(machine, incoming, { head, entries, bad })
  }

  /** Of a kind that only newer firmware knows: its numbered items are kept for a version that can read them. */
  async function receiveUnknown(machine: KnownMachine, incoming: Incoming): Promise<Reception> {
    const read = readUnknownKind(incoming.payload)
    if ('fault' in read)
      return refuse(machine, incoming, { code: 'unknownKind', detail: 'no message of this kind exists' })
    const { head, bad } = read.value
    heardOf(machine, incoming, measuredDrift(machine, naiveOf(head.at), incoming))
    return storeItems(machine, incoming, { head, entries: [], bad })
  }

  /** What the newest readings say of the machine's condition now; those told long after they were taken say nothing of it. */
  function measuredNow(entries: readonly Entry[], receivedAt: Date): Partial<Condition> {
    const now: Partial<Condition> = {}
    for (const entry of entries.toSorted((one, other) => one.at - other.at)) {
      if (entry.kind !== 'reading' || receivedAt.getTime() - entry.at > currentMs) continue
      const { signalPercent, temperatureCelsius } = entry.item
      if (signalPercent !== undefined) now.signalPercent = signalPercent
      if (temperatureCelsius !== undefined) now.temperatureCelsius = temperatureCelsius
    }
    return now
  }

  function readingOf(machine: KnownMachine, incoming: Incoming, sentAt: number | null) {
    const receivedAt = incoming.receivedAt.getTime()
    const knownDrift = incoming.isRepeated && machine.driftSeconds !== null ? machine.driftSeconds * 1000 : null
    return { sentAt, receivedAt, zone: machine.timeZone, oldestAt: receivedAt - keptDays * 86_400_000, knownDrift }
  }

  async function receiveAudit(machine: KnownMachine, incoming: Incoming): Promise<Reception> {
    const audit = readAuditMessage(incoming.payload)
    const { envelope, bad } = audit
    if (bad) return storeItems(machine, incoming, { head: bad, entries: [], bad: [bad.item] })
    const seq = envelope?.seq ?? null
    const reading = readingOf(machine, incoming, envelope ? naiveOf(envelope.at) : null)
    heardOf(machine, incoming, measuredDrift(machine, envelope ? naiveOf(envelope.at) : null, incoming))
    const content = await parts.audits.read(audit.bytes, machine.currency).catch((error: unknown) => {
      if (error instanceof AuditThreadError) return null
      throw error
    })
    if (!content) {
      const detail = 'the reader died of the file'
      const unreadable: BadItem = { code: 'invalidItem', detail, seq, index: 0, raw: undefined }
      return storeItems(machine, incoming, { head: envelope, entries: [], bad: [unreadable] })
    }
    const known = await doors.withTenant(wholeScope(machine), (db) => knownPrice(db, machine.id), 'read')
    const remarked = withRemarks(content, { machine, modem: audit.modem, known })
    const item = auditFacts(audit, remarked, machine, { ...reading, transport: incoming.transport })
    const { at, machineTime } = item
    const entry: Entry = { kind: 'audit', seq, at, machineTime, item, unknown: audit.unknown }
    return storeItems(machine, incoming, { head: envelope, entries: [entry], bad: [] })
  }

  async function receiveHello(machine: KnownMachine, incoming: Incoming, hello: Hello): Promise<Reception> {
    const drift = measuredDrift(machine, naiveOf(hello.at), incoming)
    heardOf(machine, incoming, drift, { lastPingAt: incoming.receivedAt })
    const bootAt = hello.bootAt === undefined ? null : naiveOf(hello.bootAt)
    const reading = readingOf(machine, incoming, naiveOf(hello.at))
    const booted = bootAt === null ? null : new Date(happenedAt({ ...reading, itemAt: bootAt }))
    const journal = await doors.withTenant(wholeScope(machine), async (db) => {
      await writeBootInfo(db, machine, hello, booted)
      const { oldestSeq = 1, epoch } = hello
      const current = await readJournal(db, machine)
      if (!current || current.epoch !== epoch || oldestSeq === 1 || isSeen(current.seen, oldestSeq - 1)) return current
      // What the machine no longer holds can never come; the journal goes on without it.
      const held = (await lockJournals(db, [machine])).get(machine.id)
      if (!held || held.epoch !== epoch) return held
      const count = (seen: Journal['seen']) => seen.reduce((sum, [from, to]) => sum + to - from + 1, 0)
      const before = count(held.seen)
      held.seen = addStretches(held.seen, [[1, oldestSeq - 1]])
      counted.lost.inc(count(held.seen) - before)
      await writeJournals(db, [held])
      return held
    })
    if (!journal) {
      parts.forgetMachine(machine.serial)
      throw new MachineGoneError()
    }
    return { ...nothing, journal, given: hello.epoch === journal.epoch ? hello.lastSeq : null }
  }

  async function receiveState(machine: KnownMachine, incoming: Incoming, state: State): Promise<Reception> {
    if (incoming.isReplay) return nothing
    const { online, signalPercent, temperatureCelsius, sensors, networkType, publicIp } = state
    const drift = measuredDrift(machine, state.at === undefined ? null : naiveOf(state.at), incoming)
    const condition = conditionOf(machine, incoming, online ? drift : null, {
      lastPingAt: incoming.receivedAt,
      connection: online ? connections.online : connections.offline,
      ...(signalPercent !== undefined && { signalPercent }),
      ...(temperatureCelsius !== undefined && { temperatureCelsius }),
      ...(sensors && { sensors }),
      ...(networkType && { networkType }),
      ...(publicIp && { publicIp }),
    })
    try {
      await conditions.store(condition)
    } catch (error) {
      if (error instanceof StoppedError || isTransient(error)) throw error
      const detail = error instanceof Error ? error.message : 'unknown'
      return refuse(machine, incoming, { code: 'invalid', detail: `not storable, ${detail}` })
    }
    return nothing
  }

  function receiveWhole(machine: KnownMachine, incoming: Incoming, kind: WholeKind, read: Hello | State | Claim) {
    if (kind === 'hello') return receiveHello(machine, incoming, read as Hello)
    if (kind === 'state') return receiveState(machine, incoming, read as State)
    return receiveClaim(machine, incoming, read as Claim)
  }

  async function receiveClaim(machine: KnownMachine, incoming: Incoming, claim: Claim): Promise<Reception> {
    heardOf(machine, incoming, measuredDrift(machine, naiveOf(claim.at), incoming))
    return { ...nothing, go: await commands.claim(machine, claim) }
  }

  return {
    async receive(machine, incoming) {
      const { payload, transport } = incoming
      const kind = UpKind.safeParse(incoming.kind).data
      counted.messages.inc({ kind: kind ?? 'unknown', transport })
      const limit = transport === 'http' && kind === 'audit' ? deviceLimits.auditBytes : deviceLimits.upBytes
      if (payload.length > limit) {
        const fault: Fault = { code: 'oversized', detail: `${payload.length} bytes, at most ${limit}` }
        return refuse(machine, { ...incoming, payload: payload.subarray(0, 1024) }, fault)
      }
      if (kind === undefined) return receiveUnknown(machine, incoming)
      if (kind === 'audit') return receiveAudit(machine, incoming)
      if (isBatchKind(kind)) return receiveBatch(machine, incoming, kind)
      const read = readWhole(kind, payload)
      if ('fault' in read) return refuse(machine, incoming, read.fault)
      if (read.ignored) await refuse(machine, incoming, read.ignored)
      if (read.unknown) {
        const [names, fields] = [Object.keys(read.unknown).sort(), jsonOf(read.unknown)?.slice(0, 1000)]
        parts.logOnce(
          `unknown ${names}`,
          { serial: machine.serial, fields },
          'A machine says more than this version knows',
        )
      }
      const reception = await receiveWhole(machine, incoming, kind, read.value)
      if (!read.ignored || reception.isRefused) return reception
      return { ...reception, refused: [wholeRefusal(kind, { ...read.ignored, code: 'invalidField' }, read.value.id)] }
    },
  }
}
