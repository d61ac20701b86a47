import { randomUUIDv7 } from 'node:crypto'
import type {
  CashItem,
  ConfigItem,
  EventItem,
  PricesItem,
  ReadingItem,
  ResultItem,
  SaleItem,
  StockItem,
} from '#contract/device-protocol.ts'
import { deviceLimits } from '#contract/device-protocol.ts'
import type { LiveTopic } from '#contract/frame/live.ts'
import { refreshPosStatus } from '#database/alarms/alarm.ts'
import { noteCycles } from '#database/alarms/alarm-cycles.ts'
import { applyRules, holdMachines } from '#database/alarms/alarm-rule.ts'
import { alarmSettings, settingsOf } from '#database/alarms/alarm-setting.ts'
import { writeIntervals } from '#database/audits/audit-interval.ts'
import { changeCommand, lockCommands } from '#database/commands/command-outbox.ts'
import { type ConfigurationRow, insertConfigurations } from '#database/configurations/configuration.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import {
  type AuditRow,
  type CashRow,
  type EventRow,
  eventsAfter,
  type ItemHead,
  insertAudits,
  insertCash,
  insertEvents,
  insertSales,
  openAlarms,
  type SaleRow,
  writeAlarms,
} from '#database/ingest/ingest.ts'
import { type Journal, lockJournals, storedSeqs, writeJournals } from '#database/ingest/journal.ts'
import { insertUnknownFields, type UnknownFieldsRow } from '#database/ingest/unknown-fields.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { insertReadings, type ReadingRow } from '#database/machines/reading.ts'
import { type PricesReport, type StockReport, writePrices, writeStock } from '#database/stock/stock.ts'
import { settingOf, wanted } from '#domain/alarms/alarm-setting.ts'
import { type AlarmAfter, type AlarmEvent, alarmsAfter, ends } from '#domain/alarms/event-alarms.ts'
import { report } from '#domain/commands/command-lifecycle.ts'
import { highest, take } from '#domain/machines/journal.ts'
import { concernsStock } from '#domain/stock/shortage.ts'
import type { AuditFacts } from './audits/audit-entry.ts'

/** One item of a message, with when it happened. Only an audit without an envelope has no number. */
export type Entry = {
  seq: number | null
  at: number
  machineTime: string | null
  /** What it says that this version does not know, as JSON. */
  unknown?: string | undefined
} & (
  | { kind: 'sale'; item: SaleItem }
  | { kind: 'event'; item: EventItem }
  | { kind: 'cash'; item: CashItem }
  | { kind: 'reading'; item: ReadingItem }
  | { kind: 'config'; item: ConfigItem }
  | { kind: 'stock'; item: StockItem }
  | { kind: 'prices'; item: PricesItem }
  | { kind: 'result'; item: ResultItem }
  | { kind: 'audit'; item: AuditFacts }
)

/** A message that is ready to be stored. */
export interface StoreInput {
  machine: KnownMachine
  /** Null for what belongs to no journal. */
  epoch: number | null
  entries: Entry[]
  /** Numbers of items set aside as dead letters: the journal continues without them. */
  setAside: number[]
  /** A replay: stored items are looked up, since the journal also has the numbers of set-aside items. */
  isReplay: boolean
  /** It came when the epoch before was still the machine’s. */
  isOfPastEpoch?: boolean
}

export interface StoreOutcome {
  /**
   * `staleEpoch`: of an association that is over; `gone`: the machine was deleted; `tooManyGaps`: its numbers make
   * no sense.
   */
  status: 'stored' | 'staleEpoch' | 'gone' | 'tooManyGaps'
  /** As it is after the message; null when the machine is gone. */
  journal: Journal | null
  stored: number
  repeated: number
  /** Results of commands that were never sent to the machine for execution. */
  refusedResults: ResultItem[]
}

/** Announces changes to live streams. */
export type Announce = (merchantId: string, topic: LiveTopic, machineId: string) => void

type Rows = {
  sale: SaleRow[]
  event: EventRow[]
  cash: CashRow[]
  audit: AuditRow[]
  reading: ReadingRow[]
  config: ConfigurationRow[]
  stock: StockReport[]
  prices: PricesReport[]
  result: { head: ItemHead; item: ResultItem; outcome: StoreOutcome }[]
  unknown: UnknownFieldsRow[]
}

const noRows = (): Rows => ({
  sale: [],
  event: [],
  cash: [],
  audit: [],
  reading: [],
  config: [],
  stock: [],
  prices: [],
  result: [],
  unknown: [],
})

/**
 * Stores messages of any machines in one transaction: each item once, with its sums, the alarms it makes and the command it
 * ends. Answers an outcome for each message, in their order, once all of it is committed.
 */
export async function storeBatch(
  doors: Doors,
  inputs: readonly StoreInput[],
  announce: Announce,
  now = new Date(),
): Promise<StoreOutcome[]> {
  const machines = new Map(inputs.map(({ machine }) => [machine.id, machine]))
  const merchants = new Set(inputs.map(({ machine }) => machine.merchantId))
  const scope = [...merchants].map((merchantId) => ({ merchantId, groups: 'all' as const }))
  return doors.withTenant(scope, async (db) => {
    const journals = await lockJournals(db, [...machines.values()])
    const seenBefore = new Map([...journals].map(([machineId, journal]) => [machineId, highest(journal.seen)]))
    const changed = new Set<Journal>()
    const rows = noRows()
    const replayed = await storedBefore(db, inputs)
    const outcomes = inputs.map((input) =>
      sort(input, journals.get(input.machine.id), rows, changed, replayed.get(input)),
    )
    const known = [...changed]
    await insertSales(db, rows.sale, known, now)
    const told = [...rows.event, ...rows.cash, ...rows.audit, ...rows.stock].map(({ machineId }) => machineId)
    // Machines are written from several sides: all are locked first, in the common order.
    if (told.length > 0) await holdMachines(db, [...new Set(told)])
    await insertEvents(db, rows.event, now)
    if (rows.event.length > 0) await raiseAlarms(db, rows.event, seenBefore)
    await insertCash(db, rows.cash, now)
    const audits = await insertAudits(db, rows.audit, now)
    await writeIntervals(
      db,
      audits.map(({ id }) => id),
    )
    await insertReadings(db, rows.reading, now)
    await insertConfigurations(db, rows.config, now)
    await writeStock(db, rows.stock)
    await writePrices(db, rows.prices)
    await insertUnknownFields(db, rows.unknown)
    const moved = await lookAgain(db, rows, audits, now)
    for (const result of rows.result) await settle(db, result)
    if (rows.sale.length === 0 && known.length > 0) await writeJournals(db, known)
    db.afterCommit(() => {
      for (const [machineId, { merchantId }] of new Map(rows.sale.map((row) => [row.machineId, row])))
        announce(merchantId, 'transaction', machineId)
      for (const row of [...rows.event, ...moved]) announce(row.merchantId, 'alarm', row.machineId)
      for (const row of [...rows.event, ...rows.cash]) announce(row.merchantId, 'machine', row.machineId)
      for (const row of audits) announce(row.merchantId, 'audit', row.machineId)
      for (const row of rows.config) announce(row.merchantId, 'configuration', row.machineId)
      for (const row of [...rows.stock, ...rows.prices]) announce(row.merchantId, 'stock', row.machineId)
      for (const { head } of rows.result) announce(head.merchantId, 'command', head.machineId)
    })
    return outcomes
  })
}

/** The numbers of replayed items that are stored. */
async function storedBefore(db: TenantDb, inputs: readonly StoreInput[]): Promise<Map<StoreInput, Set<number>>> {
  const found = new Map<StoreInput, Set<number>>()
  for (const input of inputs) {
    const [first] = input.entries
    if (!input.isReplay || !first || input.epoch === null) continue
    const seqs = input.entries.map(({ seq }) => seq).filter((seq) => seq !== null)
    found.set(input, await storedSeqs(db, { ...input.machine, epoch: input.epoch }, first.kind, seqs))
  }
  return found
}

/** Works out which items are new and puts them with their like. */
function sort(
  input: StoreInput,
  journal: Journal | undefined,
  rows: Rows,
  changed: Set<Journal>,
  stored: ReadonlySet<number> | undefined,
): StoreOutcome {
  const outcome: StoreOutcome = { status: 'gone', journal: null, stored: 0, repeated: 0, refusedResults: [] }
  const { machine, epoch, entries } = input
  if (!journal || journal.merchantId !== machine.merchantId) return outcome
  outcome.journal = journal
  outcome.status = 'stored'
  let isNew: readonly boolean[] = entries.map(() => true)
  if (epoch !== null) {
    const isPast = input.isOfPastEpoch && epoch < journal.epoch
    if (epoch !== journal.epoch && !isPast) return { ...outcome, status: 'staleEpoch' }
    const seqs = entries.map(({ seq }) => seq as number)
    const taken = isPast ? { seen: journal.seen, isNew: [] } : take(journal.seen, [...seqs, ...input.setAside])
    if (taken.seen.length > deviceLimits.gaps && taken.seen.length > journal.seen.length)
      return { ...outcome, status: 'tooManyGaps' }
    isNew = stored ? seqs.map((seq) => !stored.has(seq)) : taken.isNew
    if (taken.seen !== journal.seen) {
      journal.seen = taken.seen
      changed.add(journal)
    }
  }
  entries.forEach((entry, index) => {
    if (!isNew[index]) {
      outcome.repeated += 1
      return
    }
    outcome.stored += 1
    const head: ItemHead = {
      merchantId: machine.merchantId,
      machineId: machine.id,
      timeZone: machine.timeZone,
      epoch,
      seq: entry.seq,
      at: entry.at,
      machineTime: entry.machineTime,
      id: randomUUIDv7(),
    }
    if (entry.unknown !== undefined && entry.seq !== null)
      rows.unknown.push({ ...head, kind: entry.kind, fields: entry.unknown })
    if (entry.kind === 'sale') rows.sale.push({ ...head, groupId: journal.summedGroupId, sale: entry.item })
    else if (entry.kind === 'cash') rows.cash.push({ ...head, cash: entry.item })
    else if (entry.kind === 'reading') rows.reading.push({ ...head, reading: entry.item })
    else if (entry.kind === 'config') rows.config.push({ ...head, config: entry.item })
    else if (entry.kind === 'stock') rows.stock.push({ ...head, stock: entry.item })
    else if (entry.kind === 'prices') rows.prices.push({ ...head, prices: entry.item })
    else if (entry.kind === 'audit') rows.audit.push({ ...entry.item, ...head })
    else if (entry.kind === 'result') rows.result.push({ head, item: entry.item, outcome })
    else {
      const { code, active, message = null, detail = null } = entry.item
      rows.event.push({ ...head, code, active, message, detail })
    }
  })
  return outcome
}

/** Turns new events into alarms, machine by machine, and sets each machine's state by them. */
async function raiseAlarms(
  db: TenantDb,
  rows: readonly EventRow[],
  seenBefore: ReadonlyMap<string, number>,
): Promise<void> {
  const byMachine = Map.groupBy(rows, (row) => row.machineId)
  let settings: Awaited<ReturnType<typeof alarmSettings>> | undefined
  const raised: (AlarmAfter & { merchantId: string })[] = []
  const open = Map.groupBy(await openAlarms(db, [...byMachine.keys()]), (alarm) => alarm.machineId)
  for (const [machineId, events] of [...byMachine].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const inOrder = events.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0))
    const first = inOrder[0] as EventRow
    // Events that come after later ones have been stored may have ended already.
    const isLate = (first.seq ?? 0) < (seenBefore.get(machineId) ?? 0)
    const machine = { merchantId: first.merchantId, machineId, epoch: first.epoch ?? 0 }
    const earliest = new Date(Math.min(...events.map(({ at }) => at)))
    const later = isLate ? await eventsAfter(db, machine, first.seq ?? 0, earliest) : []
    const alarms = alarmsAfter(
      open.get(machineId) ?? [],
      inOrder.map((event) => ({ ...event, at: new Date(event.at) }) satisfies AlarmEvent),
      {
        newId: randomUUIDv7,
        endedLater: (event) => later.find((each) => each.at >= event.at && ends(each, event.code))?.at ?? null,
      },
    )
    if (alarms.some(({ isNew }) => isNew)) settings ??= await alarmSettings(db)
    const own = settingsOf(settings ?? new Map(), machine.merchantId)
    const kept = alarms.flatMap((alarm) => (alarm.isNew ? (wanted(alarm, settingOf(own, alarm.code)) ?? []) : alarm))
    if (kept.length === 0) continue
    await writeAlarms(db, machine, kept)
    await refreshPosStatus(db, machine.merchantId, machineId)
    for (const alarm of kept) if (alarm.isNew) raised.push({ ...alarm, merchantId: machine.merchantId })
  }
  if (settings) await noteCycles(db, raised, settings)
}

/**
 * Raises and ends the portal's own alarms by cash devices, events, levels and audits. Returns the machines whose
 * alarms changed.
 */
async function lookAgain(
  db: TenantDb,
  { cash, event, stock }: Pick<Rows, 'cash' | 'event' | 'stock'>,
  audits: readonly AuditRow[],
  at: Date,
): Promise<{ merchantId: string; machineId: string }[]> {
  // Neither speaks of silence.
  const look = { at, listeningSince: null, noDataMinutes: 0 }
  const idsOf = (items: readonly ItemHead[]) => [...new Set(items.map(({ machineId }) => machineId))]
  const reported = new Set(idsOf(stock))
  const toldByEvent = event.filter(({ code, machineId }) => concernsStock(code) && !reported.has(machineId))
  return [
    ...(await applyRules(db, idsOf(cash), ['cashBoxFull'], look)),
    ...(await applyRules(db, idsOf(stock), ['stockLow'], look)),
    // Ignore levels older than the refill event.
    ...(await applyRules(db, idsOf(toldByEvent), ['stockLow'], { ...look, areLevelsOld: true })),
    ...(await applyRules(db, idsOf(audits), ['auditOverdue'], look)),
  ]
}

/** Ends the command of a result, unless it was never sent to the machine for execution. */
async function settle(db: TenantDb, { head, item, outcome }: Rows['result'][number]): Promise<void> {
  const [command] = await lockCommands(db, { ids: [item.commandId] })
  const isOwn = command?.machineId === head.machineId
  const change = isOwn ? report(command, item.outcome, item.info ?? null, new Date(head.at)) : 'refused'
  if (change === 'refused') outcome.refusedResults.push(item)
  else if (change !== 'repeated' && command) await changeCommand(db, command, change)
}
