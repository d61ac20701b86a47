import type {
  Authorise,
  BlocksRequest,
  Claim,
  Hello,
  LinkCodeRequest,
  Progress,
  SaleItem,
  State,
} from '#contract/device-protocol.ts'
import { deviceLimits, UpKind } from '#contract/device-protocol.ts'
import { knownPrice } from '#database/audits/known-price.ts'
import { lastReading } from '#database/audits/last-reading.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isTransient } from '#database/frame/transient.ts'
import type { Condition } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { isPlausible } from '#domain/sales/plausible-sale.ts'
import { naiveOf, readerOf } from '#domain/time/clock.ts'
import type { OnceLog } from '../log/once-log.ts'
import { StoppedError } from '../threads/stopped.ts'
import { ThreadEndedError } from '../threads/thread.ts'
import { auditFacts } from './audits/audit-entry.ts'
import type { AuditReader } from './audits/audit-reader.ts'
import { type Batcher } from './batcher.ts'
import type { Cashless } from './cashless/authorise.ts'
import type { Commands } from './commands.ts'
import type { Conditions } from './conditions.ts'
import type { DeadLetterBox } from './dead-letter-box.ts'
import { counted } from './metrics.ts'
import {
  type BadItem,
  type BatchKind,
  type Fault,
  isBatchKind,
  jsonOf,
  type ReadBatch,
  rawItems,
  readAuditMessage,
  readBatch,
  readUnknownKind,
  readWhole,
  type WholeKind,
} from './read-message.ts'
import { recordHello } from './receiving/hello.ts'
import { createItemStore } from './receiving/item-store.ts'
import { MachineGoneError } from './receiving/machine-gone.ts'
import { conditionOf, conditionOfState, measuredDrift, measuredNow, readingOf } from './receiving/measured.ts'
import { type Incoming, nothing, type Reception } from './reception.ts'
import { wholeRefusal } from './refusals.ts'
import type { Entry, GatheredInput, StoreOutcome } from './store-batch.ts'

export interface Receiver {
  receive(machine: KnownMachine, incoming: Incoming): Promise<Reception>
}

type Whole = Hello | State | Claim | Authorise | BlocksRequest | LinkCodeRequest

/** Sales with a value that no machine sells for: they are kept and not booked, until support replays them on purpose. */
function implausibleSales(machine: KnownMachine, { payload }: Incoming, entries: readonly Entry[]): BadItem[] {
  const implausible = entries.filter(
    ({ kind, item }) => kind === 'sale' && !isPlausible(item as SaleItem, machine.currency),
  )
  if (implausible.length === 0) return []
  const raw = rawItems(payload)
  const detail = 'value: no vend costs so much; check the number of decimals'
  return implausible.map(({ seq }) => ({ code: 'invalidItem', detail, seq, index: 0, raw: raw.get(seq ?? 0) }))
}

/** The items of a batch at their true times, and its bad items. */
function entriesOf(
  machine: KnownMachine,
  incoming: Incoming,
  kind: BatchKind,
  { head, items, unknown, bad }: ReadBatch,
): { entries: Entry[]; bad: BadItem[] } {
  const happened = readerOf(readingOf(machine, incoming, naiveOf(head.at)))
  const all = items.map((item, index) => {
    const at = happened(naiveOf(item.at))
    return { kind, seq: item.seq, at, machineTime: item.at, item, unknown: unknown.get(index) } as Entry
  })
  const implausible = incoming.isReplay ? [] : implausibleSales(machine, incoming, all)
  const setAside = new Set(implausible.map(({ seq }) => seq))
  const entries = setAside.size === 0 ? all : all.filter(({ seq }) => !setAside.has(seq))
  return { entries, bad: [...bad, ...implausible] }
}

/** Logs what a message says beyond this version, once for the same fields. */
function logUnknown(logOnce: OnceLog, { serial }: KnownMachine, unknown: object): void {
  const names = Object.keys(unknown).sort()
  const fields = jsonOf(unknown)?.slice(0, 1000)
  logOnce(`unknown ${names}`, { serial, fields }, 'A machine says more than this version knows')
}

/** Receives messages from machines by kind and returns the answer to each. */
export function createReceiver(parts: {
  doors: Doors
  batcher: Batcher<GatheredInput, StoreOutcome>
  conditions: Conditions
  commands: Commands
  cashless: Cashless
  deadLetters: DeadLetterBox
  audits: AuditReader
  logOnce: OnceLog
  forgetMachine: (serial: string) => void
}): Receiver {
  const { doors, conditions, commands, cashless } = parts
  const { refuse, storeItems } = createItemStore(parts)

  function noteCondition(
    machine: KnownMachine,
    incoming: Incoming,
    drift: number | null,
    news: Partial<Condition> = {},
  ): void {
    // A replayed message says nothing about the machine's current condition.
    if (!incoming.isReplay) conditions.note(conditionOf(machine, incoming, drift, news))
  }

  async function receiveBatch(machine: KnownMachine, incoming: Incoming, kind: BatchKind): Promise<Reception> {
    const read = readBatch(kind, incoming.payload)
    if ('fault' in read) return refuse(machine, incoming, read.fault)
    const { head } = read.value
    const { entries, bad } = entriesOf(machine, incoming, kind, read.value)
    const lastSale = kind === 'sale' && entries.length > 0 ? Math.max(...entries.map(({ at }) => at)) : null
    const drift = measuredDrift(machine, naiveOf(head.at), incoming)
    noteCondition(machine, incoming, drift, {
      ...(lastSale !== null && { lastSaleAt: new Date(lastSale) }),
      ...measuredNow(entries, incoming.receivedAt),
    })
    return storeItems(machine, incoming, { head, entries, bad })
  }

  /** A kind that only newer firmware knows: its numbered items are stored for a version that can read them. */
  async function receiveUnknown(machine: KnownMachine, incoming: Incoming): Promise<Reception> {
    const read = readUnknownKind(incoming.payload)
    if ('fault' in read)
      return refuse(machine, incoming, { code: 'unknownKind', detail: 'no message of this kind exists' })
    const { head, bad } = read.value
    noteCondition(machine, incoming, measuredDrift(machine, naiveOf(head.at), incoming))
    return storeItems(machine, incoming, { head, entries: [], bad })
  }

  async function receiveAudit(machine: KnownMachine, incoming: Incoming): Promise<Reception> {
    const audit = readAuditMessage(incoming.payload)
    const { envelope, bad } = audit
    if (bad) return storeItems(machine, incoming, { head: bad, entries: [], bad: [bad.item] })
    const seq = envelope?.seq ?? null
    const reading = readingOf(machine, incoming, envelope ? naiveOf(envelope.at) : null)
    noteCondition(machine, incoming, measuredDrift(machine, envelope ? naiveOf(envelope.at) : null, incoming))
    const { lastKnownPrice, last } = await doors.withTenant(
      [{ merchantId: machine.merchantId, groups: 'all' }],
      async (db) => ({ lastKnownPrice: await knownPrice(db, machine.id), last: await lastReading(db, machine.id) }),
      'read',
    )
    const content = await parts.audits.read(audit.bytes, machine.currency, last.page).catch((error: unknown) => {
      if (error instanceof ThreadEndedError) return null
      throw error
    })
    if (!content) {
      const detail = 'the reader died of the file'
      const unreadable: BadItem = { code: 'invalidItem', detail, seq, index: 0, raw: undefined }
      return storeItems(machine, incoming, { head: envelope, entries: [], bad: [unreadable] })
    }
    const { transport } = incoming
    const item = auditFacts(audit, content, machine, { ...reading, transport, lastKnownPrice, ownTime: last.ownTime })
    const { at, machineTime } = item
    const entry: Entry = { kind: 'audit', seq, at, machineTime, item, unknown: audit.unknown }
    return storeItems(machine, incoming, { head: envelope, entries: [entry], bad: [] })
  }

  async function receiveHello(machine: KnownMachine, incoming: Incoming, hello: Hello): Promise<Reception> {
    const drift = measuredDrift(machine, naiveOf(hello.at), incoming)
    noteCondition(machine, incoming, drift, { lastPingAt: incoming.receivedAt })
    const journal = await recordHello(doors, machine, incoming, hello)
    if (!journal) {
      parts.forgetMachine(machine.serial)
      throw new MachineGoneError()
    }
    return { ...nothing, journal, assigned: hello.epoch === journal.epoch ? hello.lastSeq : null }
  }

  async function receiveState(machine: KnownMachine, incoming: Incoming, state: State): Promise<Reception> {
    if (incoming.isReplay) return nothing
    try {
      await conditions.store(conditionOfState(machine, incoming, state))
    } catch (error) {
      if (error instanceof StoppedError || isTransient(error)) throw error
      const detail = error instanceof Error ? error.message : 'unknown'
      return refuse(machine, incoming, { code: 'invalid', detail: `not storable, ${detail}` })
    }
    return nothing
  }

  function receiveWhole(machine: KnownMachine, incoming: Incoming, kind: WholeKind, read: Whole) {
    if (kind === 'hello') return receiveHello(machine, incoming, read as Hello)
    if (kind === 'state') return receiveState(machine, incoming, read as State)
    if (kind === 'progress') return receiveProgress(machine, incoming, read as Progress)
    if (kind === 'claim') return receiveClaim(machine, incoming, read as Claim)
    return receiveCashless(machine, incoming, kind, read as Authorise | BlocksRequest | LinkCodeRequest)
  }

  async function receiveProgress(machine: KnownMachine, incoming: Incoming, progress: Progress): Promise<Reception> {
    noteCondition(machine, incoming, measuredDrift(machine, naiveOf(progress.at), incoming))
    if (!incoming.isReplay) await commands.progress(machine, progress)
    return nothing
  }

  async function receiveClaim(machine: KnownMachine, incoming: Incoming, claim: Claim): Promise<Reception> {
    noteCondition(machine, incoming, measuredDrift(machine, naiveOf(claim.at), incoming))
    return { ...nothing, go: await commands.claim(machine, claim) }
  }

  async function receiveCashless(
    machine: KnownMachine,
    incoming: Incoming,
    kind: 'authorise' | 'blocks' | 'linkCode',
    read: Authorise | BlocksRequest | LinkCodeRequest,
  ): Promise<Reception> {
    noteCondition(machine, incoming, measuredDrift(machine, naiveOf(read.at), incoming))
    if (kind === 'linkCode') return { ...nothing, linked: await cashless.linkCode(machine, read as LinkCodeRequest) }
    if (kind === 'blocks') return { ...nothing, blocked: await cashless.blocksAfter(machine, read as BlocksRequest) }
    return { ...nothing, authorised: await cashless.authorise(machine, read as Authorise) }
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
      if (read.unknown) logUnknown(parts.logOnce, machine, read.unknown)
      const reception = await receiveWhole(machine, incoming, kind, read.value)
      if (!read.ignored || reception.isRefused) return reception
      return { ...reception, refused: [wholeRefusal(kind, { ...read.ignored, code: 'invalidField' }, read.value.id)] }
    },
  }
}
