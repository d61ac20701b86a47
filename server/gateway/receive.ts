import type { Claim, Go, Hello, ResultItem, State, UpKind } from '#contract/device-protocol.ts'
import { deviceLimits } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { type Journal, lockJournals, readJournal, writeJournals } from '#database/journal.ts'
import { type Condition, writeBootInfo } from '#database/machine-condition.ts'
import type { KnownMachine } from '#database/machine-directory.ts'
import type { Doors } from '#database/tenant.ts'
import { isTransient } from '#database/transient.ts'
import { driftOf, happenedAt, naiveOf, readerOf } from '#domain/clock.ts'
import { addStretches, isSeen } from '#domain/journal.ts'
import { auditFacts } from './audit-entry.ts'
import { type AuditReader, AuditThreadError } from './audit-reader.ts'
import { type Batcher, StoppedError } from './batcher.ts'
import type { Commands } from './commands.ts'
import type { Conditions } from './conditions.ts'
import type { DeadLetterBox } from './dead-letter-box.ts'
import { counted } from './metrics.ts'
import { type BadItem, type Fault, isBatchKind, readAuditMessage, readBatch, readWhole } from './read-message.ts'
import type { Entry, StoreInput, StoreOutcome } from './store-batch.ts'

/** A message as it came. */
export interface Incoming {
  kind: UpKind
  payload: Uint8Array
  transport: 'mqtt' | 'http'
  /** The sender has sent it before, so its clock speaks of then. */
  isRepeated: boolean
  receivedAt: Date
  /** It was set aside before and is told once more: its numbers are known, whether or not it is stored. Not set aside again. */
  isReplay?: boolean
}

/** What became of a message, once everything of it is stored. */
export interface Reception {
  /** How the machine's journal stands; null for kinds that have none. */
  journal: Journal | null
  /** The last number that the machine says it has given out. */
  given: number | null
  go: Go | null
  /** Why the whole message was refused, or some of its items. */
  fault: Fault | null
  /** Items that are stored now, and those that were before. */
  stored: number
  repeated: number
}

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

const nothing: Reception = { journal: null, given: null, go: null, fault: null, stored: 0, repeated: 0 }

/** A drift is a whole number of seconds that the database can hold. */
const driftLimit = 2_147_483_647

/** JSON again; null when it is nested deeper than can be written, though it could be read. */
function jsonOf(raw: unknown): Uint8Array | null {
  try {
    return Buffer.from(JSON.stringify(raw))
  } catch {
    return null
  }
}

export function createReceiver(parts: {
  doors: Doors
  batcher: Batcher<StoreInput & { weight: number }, StoreOutcome>
  conditions: Conditions
  commands: Commands
  deadLetters: DeadLetterBox
  audits: AuditReader
  forgetMachine: (serial: string) => void
}): Receiver {
  const { doors, batcher, conditions, commands, deadLetters } = parts

  const wholeScope = ({ merchantId }: KnownMachine) => [{ merchantId, groups: 'all' as const }]

  const refuse = async (machine: KnownMachine, { kind, transport, payload, isReplay }: Incoming, fault: Fault) => {
    if (isReplay) return
    await deadLetters.keep({
      serial: machine.serial,
      merchantId: machine.merchantId,
      kind,
      transport,
      reason: `${fault.code}: ${fault.detail}`,
      payload: payload.subarray(0, deviceLimits.auditBytes),
    })
  }

  const refuseItem = async (
    machine: KnownMachine,
    { kind, transport, payload, isReplay }: Incoming,
    bad: Fault & { raw: unknown },
  ) => {
    if (isReplay) return
    await deadLetters.keep({
      serial: machine.serial,
      merchantId: machine.merchantId,
      kind,
      transport,
      reason: `${bad.code}: ${bad.detail}`,
      payload: jsonOf(bad.raw) ?? payload,
    })
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

  async function storeItems(
    machine: KnownMachine,
    incoming: Incoming,
    message: { epoch: number | null; entries: Entry[]; bad: BadItem[] },
  ): Promise<Reception> {
    const { epoch, entries, bad } = message
    for (const item of bad) await refuseItem(machine, incoming, item)
    const setAside = bad.map(({ seq }) => seq).filter((seq) => seq !== null)
    let fault: Fault | null = bad[0] ?? null
    let outcome: StoreOutcome
    try {
      const weight = Math.max(1, entries.length)
      outcome = await batcher.add({ machine, epoch, entries, setAside, weight, isReplay: incoming.isReplay === true })
    } catch (error) {
      if (error instanceof StoppedError || isTransient(error)) throw error
      // The database takes it in no way: it is set aside as a whole, and the journal goes on without it.
      const detail = error instanceof Error ? error.message : 'unknown'
      await refuse(machine, incoming, { code: 'invalid', detail: `not storable, ${detail}` })
      const seqs = [...setAside, ...entries.map(({ seq }) => seq).filter((seq) => seq !== null)]
      outcome = await batcher.add({ machine, epoch, entries: [], setAside: seqs, weight: 1, isReplay: false })
      fault = { code: 'invalid', detail }
    }
    counted.items.inc({ outcome: 'stored' }, outcome.stored)
    counted.items.inc({ outcome: 'repeated' }, outcome.repeated)
    for (const item of outcome.refusedResults) await refuseItem(machine, incoming, notClaimed(item))
    if (outcome.status === 'gone') {
      parts.forgetMachine(machine.serial)
      throw new MachineGoneError()
    }
    if (outcome.status !== 'stored') {
      if (outcome.status === 'staleEpoch') parts.forgetMachine(machine.serial)
      fault = { code: 'invalid', detail: outcome.status }
      await refuse(machine, incoming, fault)
    }
    const { journal, stored, repeated } = outcome
    return { ...nothing, journal, stored, repeated, fault: incoming.isReplay ? fault : null }
  }

  const notClaimed = (item: ResultItem): Fault & { raw: unknown } => ({
    code: 'invalidItem',
    detail: 'a result of a command that this machine was not told to execute',
    raw: item,
  })

  async function receiveBatch(machine: KnownMachine, incoming: Incoming): Promise<Reception> {
    const { kind, payload } = incoming
    if (!isBatchKind(kind)) return nothing
    const read = readBatch(kind, payload)
    if ('fault' in read) {
      await refuse(machine, incoming, read.fault)
      return { ...nothing, fault: read.fault }
    }
    const { epoch, bad } = read.value
    const sentAt = naiveOf(read.value.sentAt)
    const happened = readerOf(readingOf(machine, incoming, sentAt))
    const entries = read.value.items.map((item) => {
      const at = happened(naiveOf(item.at))
      return { kind, seq: item.seq, at, machineTime: item.at, item } as Entry
    })
    const lastSale = kind === 'sale' && entries.length > 0 ? Math.max(...entries.map(({ at }) => at)) : null
    const drift = measuredDrift(machine, sentAt, incoming)
    heardOf(machine, incoming, drift, {
      ...(lastSale !== null && { lastSaleAt: new Date(lastSale) }),
      ...measuredNow(entries, incoming.receivedAt),
    })
    return storeItems(machine, incoming, { epoch, entries, bad })
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
    const { envelope } = audit
    const [epoch, seq] = [envelope?.epoch ?? null, envelope?.seq ?? null]
    const reading = readingOf(machine, incoming, envelope ? naiveOf(envelope.at) : null)
    heardOf(machine, incoming, measuredDrift(machine, envelope ? naiveOf(envelope.at) : null, incoming))
    const content = await parts.audits.read(audit.bytes, machine.currency).catch((error: unknown) => {
      if (error instanceof AuditThreadError) return null
      throw error
    })
    if (!content) {
      const unreadable: BadItem = { code: 'invalidItem', detail: 'the reader died of the file', seq, raw: undefined }
      return storeItems(machine, incoming, { epoch, entries: [], bad: [unreadable] })
    }
    const item = auditFacts(audit, content, machine, { ...reading, transport: incoming.transport })
    const { at, machineTime } = item
    const entry: Entry = { kind: 'audit', seq, at, machineTime, item }
    return storeItems(machine, incoming, { epoch, entries: [entry], bad: [] })
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
      await refuse(machine, incoming, { code: 'invalid', detail: `not storable, ${detail}` })
    }
    return nothing
  }

  async function receiveClaim(machine: KnownMachine, incoming: Incoming, claim: Claim): Promise<Reception> {
    heardOf(machine, incoming, measuredDrift(machine, naiveOf(claim.at), incoming))
    return { ...nothing, go: await commands.claim(machine, claim) }
  }

  return {
    async receive(machine, incoming) {
      const { kind, payload, transport } = incoming
      counted.messages.inc({ kind, transport })
      const limit = transport === 'http' && kind === 'audit' ? deviceLimits.auditBytes : deviceLimits.upBytes
      if (payload.length > limit) {
        const fault: Fault = { code: 'oversized', detail: `${payload.length} bytes, at most ${limit}` }
        await refuse(machine, { ...incoming, payload: payload.subarray(0, 1024) }, fault)
        return { ...nothing, fault }
      }
      if (kind === 'audit') return receiveAudit(machine, incoming)
      if (isBatchKind(kind)) return receiveBatch(machine, incoming)
      const read = readWhole(kind, payload)
      if ('fault' in read) {
        await refuse(machine, incoming, read.fault)
        return { ...nothing, fault: read.fault }
      }
      if (kind === 'hello') return receiveHello(machine, incoming, read.value as Hello)
      if (kind === 'state') return receiveState(machine, incoming, read.value as State)
      return receiveClaim(machine, incoming, read.value as Claim)
    },
  }
}
