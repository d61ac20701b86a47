import { randomUUIDv7 } from 'node:crypto'
import { type CreditItem, deviceLimits, type ResultItem } from '#contract/device-protocol.ts'
import type { LiveTopic } from '#contract/frame/live.ts'
import { appPaymentCommand } from '#contract/vocabulary/remote-command.ts'
import { applyRules, holdMachines } from '#database/alarms/alarm-rule.ts'
import { writeIntervals } from '#database/audits/audit-interval.ts'
import { noteCollections } from '#database/cash/noted-collections.ts'
import { noteReversals } from '#database/cashless/reversal.ts'
import { noteCharged, type PricesReport, writeAuditedPrices, writePrices } from '#database/catalogue/price-sight.ts'
import { noteProductCodes } from '#database/catalogue/product-directory.ts'
import { settleWrongPrices } from '#database/catalogue/wrong-price/wrong-settling.ts'
import { changeCommand, lockCommands } from '#database/commands/command-outbox.ts'
import { type ConfigurationRow, insertConfigurations } from '#database/configurations/configuration.ts'
import { insertVpReports, type VpReportRow } from '#database/configurations/vp-report.ts'
import { type Doors, type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { type AuditRow, insertAudits } from '#database/ingest/audit-rows.ts'
import { raiseEventAlarms } from '#database/ingest/event-alarms.ts'
import {
  type CashRow,
  type EventRow,
  type ItemHead,
  insertCash,
  insertEvents,
  insertSales,
  type SaleRow,
} from '#database/ingest/ingest.ts'
import { type Journal, lockJournals, storedSeqs, writeJournals } from '#database/ingest/journal.ts'
import { insertUnknownFields, type UnknownFieldsRow } from '#database/ingest/unknown-fields.ts'
import { noteVends } from '#database/ingest/vend-notes.ts'
import { failAppPayment } from '#database/key-portal/app-payment.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { insertReadings, type ReadingRow } from '#database/machines/reading.ts'
import { type StockReport, writeStock } from '#database/stock/report.ts'
import { bookRefills, bookSales } from '#database/stock/sold.ts'
import { report } from '#domain/commands/command-lifecycle.ts'
import { highest, take } from '#domain/machines/journal.ts'
import { concernsStock } from '#domain/stock/shortage.ts'
import type { AuditFacts } from './audits/audit-entry.ts'
import { type CreditRow, storeCredit } from './cashless/store-credit.ts'
import type { BatchKind, ItemOf } from './read-message.ts'
import { closeStops } from './receiving/close-stops.ts'
import { codesIn } from './receiving/product-codes.ts'

/** One item of a message and its time. Only an audit without an envelope has no number. */
export type Entry = {
  seq: number | null
  at: number
  machineTime: string | null
  /** Its unknown fields, as JSON. */
  unknown?: string | undefined
} & ({ [K in BatchKind]: { kind: K; item: ItemOf<K> } }[BatchKind] | { kind: 'audit'; item: AuditFacts })

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
  /** It arrived while the machine still had the previous epoch. */
  isOfPastEpoch?: boolean
}

/** Its share of a batch, and when its oldest entry happened, in milliseconds since 1970. */
export type GatheredInput = StoreInput & { weight: number; at?: number | undefined }

export interface StoreOutcome {
  /** `staleEpoch`: of a former association; `gone`: the machine was deleted; `tooManyGaps`: its numbers are implausible. */
  status: 'stored' | 'staleEpoch' | 'gone' | 'tooManyGaps'
  /** The journal after the message; null when the machine is deleted. */
  journal: Journal | null
  stored: number
  repeated: number
  /** Results of commands that were never sent to the machine for execution. */
  refusedResults: ResultItem[]
  /** Credit items that cannot be booked, with the reason. */
  refusedCredit: { item: CreditItem; detail: string }[]
}

/** Announces changes to live streams. */
export type Announce = (merchantId: string, topic: LiveTopic, machineId?: string) => void

type Rows = {
  sale: SaleRow[]
  event: EventRow[]
  cash: CashRow[]
  audit: AuditRow[]
  reading: ReadingRow[]
  config: ConfigurationRow[]
  vpConfig: VpReportRow[]
  stock: StockReport[]
  prices: PricesReport[]
  result: { head: ItemHead; item: ResultItem; outcome: StoreOutcome }[]
  credit: CreditRow[]
  unknown: UnknownFieldsRow[]
}

const noRows = (): Rows => ({
  sale: [],
  event: [],
  cash: [],
  audit: [],
  reading: [],
  config: [],
  vpConfig: [],
  stock: [],
  prices: [],
  result: [],
  credit: [],
  unknown: [],
})

/**
 * Stores messages of any machines in one transaction: each item once, with its sums, its alarms and the end of its command.
 * Returns an outcome for each message, in their order, once all of it is committed.
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
      addNewItems(input, journals.get(input.machine.id), rows, changed, replayed.get(input)),
    )
    const changedJournals = [...changed]
    const managed = new Set([...journals].flatMap(([machineId, { managesStock }]) => (managesStock ? [machineId] : [])))
    const counting = new Set([...journals].flatMap(([machineId, { countsStock }]) => (countsStock ? [machineId] : [])))
    // Each sale is stored with the selections that it lowers, and their levels.
    const sold = await bookSales(db, rows.sale, managed, now)
    await insertSales(db, rows.sale, changedJournals, sold.insertions, now)
    await noteVends(db, rows.sale)
    const charged = await noteCharged(db, rows.sale)
    const affected = [...rows.event, ...rows.cash, ...rows.audit, ...rows.stock].map(({ machineId }) => machineId)
    affected.push(...sold.crossed)
    // Several processes write machines: lock all of them first, in the common order.
    if (affected.length > 0) await holdMachines(db, [...new Set(affected)])
    await insertEvents(db, rows.event, now)
    if (rows.event.length > 0) await raiseEventAlarms(db, rows.event, seenBefore)
    await insertCash(db, rows.cash, now)
    const audits = await insertAudits(db, rows.audit, now)
    await writeIntervals(
      db,
      audits.map(({ id }) => id),
    )
    const collected = await noteCollections(db, { ...rows, audit: audits })
    await insertReadings(db, rows.reading, now)
    await insertConfigurations(db, rows.config, now)
    await insertVpReports(db, rows.vpConfig)
    const filled = await bookRefills(db, rows.event, { managed, counting }, now)
    await writeStock(db, rows.stock, { managed, counting }, now)
    const reported = await writePrices(db, rows.prices)
    const audited = await writeAuditedPrices(db, audits)
    const ids = charged.map(({ machineId }) => machineId)
    const priced = [...charged, ...(await settleWrongPrices(db, [...ids, ...reported, ...audited]))]
    await insertUnknownFields(db, rows.unknown)
    const closed = await closeStops(db, rows.event, audits)
    const moved = await updatePortalAlarms(db, rows, audits, [...sold.crossed, ...filled.crossed], now)
    for (const result of rows.result) await settle(db, result, rows.credit)
    if (rows.sale.length === 0 && changedJournals.length > 0) await writeJournals(db, changedJournals)
    const used = await storeCredit(db, rows, machines, now)
    await noteReversals(db, rows.sale)
    const groupOf = (machineId: string) => journals.get(machineId)?.summedGroupId ?? null
    const named = await noteProductCodes(db, codesIn(rows, audits, groupOf), now)
    db.afterCommit(() => {
      for (const [machineId, { merchantId }] of new Map(rows.sale.map((row) => [row.machineId, row])))
        announce(merchantId, 'transaction', machineId)
      for (const row of [...rows.event, ...moved]) announce(row.merchantId, 'alarm', row.machineId)
      for (const row of [...rows.event, ...rows.cash]) announce(row.merchantId, 'machine', row.machineId)
      for (const row of audits) announce(row.merchantId, 'audit', row.machineId)
      for (const merchantId of closed) announce(merchantId, 'round')
      for (const row of collected) announce(row.merchantId, 'collection', row.machineId)
      for (const row of [...rows.config, ...rows.vpConfig]) announce(row.merchantId, 'configuration', row.machineId)
      for (const row of [...rows.stock, ...rows.prices]) announce(row.merchantId, 'stock', row.machineId)
      for (const merchantId of named) announce(merchantId, 'product')
      for (const { merchantId, machineId } of [...sold.moved, ...filled.moved]) announce(merchantId, 'stock', machineId)
      for (const { merchantId, machineId } of priced) announce(merchantId, 'price', machineId)
      for (const { merchantId, machineId } of used) announce(merchantId, 'media', machineId)
      for (const { head } of rows.result) announce(head.merchantId, 'command', head.machineId)
    })
    return outcomes
  })
}

/** The numbers of replayed items that are stored. */
async function storedBefore(db: TenantDb, inputs: readonly StoreInput[]): Promise<Map<StoreInput, Set<number>>> {
  const duplicates = new Map<StoreInput, Set<number>>()
  for (const input of inputs) {
    const [first] = input.entries
    if (!input.isReplay || !first || input.epoch === null) continue
    const seqs = input.entries.map(({ seq }) => seq).filter((seq) => seq !== null)
    duplicates.set(input, await storedSeqs(db, { ...input.machine, epoch: input.epoch }, first.kind, seqs))
  }
  return duplicates
}

/** Finds the new items and adds each to the rows of its table. */
function addNewItems(
  input: StoreInput,
  journal: Journal | undefined,
  rows: Rows,
  changed: Set<Journal>,
  stored: ReadonlySet<number> | undefined,
): StoreOutcome {
  const outcome: StoreOutcome = {
    status: 'gone',
    journal: null,
    stored: 0,
    repeated: 0,
    refusedResults: [],
    refusedCredit: [],
  }
  const { machine, epoch, entries } = input
  if (!journal || journal.merchantId !== machine.merchantId) return outcome
  outcome.journal = journal
  outcome.status = 'stored'
  let isNew: readonly boolean[] = entries.map(() => true)
  if (epoch !== null) {
    const isPast = input.isOfPastEpoch && epoch < journal.epoch
    if (epoch !== journal.epoch && !isPast) return { ...outcome, status: 'staleEpoch' }
    const seqs = entries.map(({ seq }) => seq as number)
    const intake = isPast ? { seen: journal.seen, isNew: [] } : take(journal.seen, [...seqs, ...input.setAside])
    if (intake.seen.length > deviceLimits.gaps && intake.seen.length > journal.seen.length)
      return { ...outcome, status: 'tooManyGaps' }
    isNew = stored ? seqs.map((seq) => !stored.has(seq)) : intake.isNew
    if (intake.seen !== journal.seen) {
      journal.seen = intake.seen
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
    else if (entry.kind === 'vpConfig') rows.vpConfig.push({ ...head, report: entry.item })
    else if (entry.kind === 'stock') rows.stock.push({ ...head, stock: entry.item })
    else if (entry.kind === 'prices') rows.prices.push({ ...head, prices: entry.item })
    else if (entry.kind === 'audit') rows.audit.push({ ...entry.item, ...head })
    else if (entry.kind === 'result') rows.result.push({ head, item: entry.item, outcome })
    else if (entry.kind === 'credit') {
      const { item } = entry
      rows.credit.push({ ...head, credit: item, refuse: (detail) => outcome.refusedCredit.push({ item, detail }) })
    } else {
      const { code, active, message = null, detail = null } = entry.item
      rows.event.push({ ...head, code, active, message, detail })
    }
  })
  return outcome
}

/**
 * Raises and ends the portal's own alarms by cash devices, events, levels and audits. Returns the machines whose alarms
 * changed.
 */
async function updatePortalAlarms(
  db: TenantDb,
  { cash, event, stock }: Pick<Rows, 'cash' | 'event' | 'stock'>,
  audits: readonly AuditRow[],
  moved: readonly string[],
  at: Date,
): Promise<{ merchantId: string; machineId: string }[]> {
  // Only the rule on missing messages needs these limits, and it runs in the worker.
  const look = { at, listeningSince: null, noDataMinutes: 0 }
  const idsOf = (items: readonly ItemHead[]) => [...new Set(items.map(({ machineId }) => machineId))]
  // Levels changed by a report, or, of managed machines, by sales and refills.
  const reported = new Set([...idsOf(stock), ...moved])
  const stockEvents = event.filter(({ code, machineId }) => concernsStock(code) && !reported.has(machineId))
  return [
    ...(await applyRules(db, idsOf(cash), ['cashBoxFull'], look)),
    ...(await applyRules(db, [...reported], ['stockLow'], look)),
    // Ignore levels older than the refill event.
    ...(await applyRules(db, idsOf(stockEvents), ['stockLow'], { ...look, areLevelsOld: true })),
    ...(await applyRules(db, idsOf(audits), ['auditOverdue'], look)),
  ]
}

/** A machine that could not vend for an app payment releases its reservation, with its other credit items. */
async function endPayment(
  db: TenantDb,
  head: ItemHead,
  { command, outcome, credit }: { command: { id: string }; outcome: ResultItem['outcome']; credit: CreditRow[] },
): Promise<void> {
  if (outcome !== 'error' && outcome !== 'unsupported') return
  const reason = outcome === 'error' ? 'vendFailed' : 'unsupported'
  const reservationId = await failAppPayment(db, head.merchantId, command.id, reason)
  if (!reservationId || head.seq === null || head.machineTime === null) return
  const item: CreditItem = { action: 'release', reservationId, seq: head.seq, at: head.machineTime }
  credit.push({ ...head, credit: item, refuse: () => undefined })
}

/** Ends the command of a result, unless it was never sent to the machine for execution. */
async function settle(
  db: TenantDb,
  { head, item, outcome }: Rows['result'][number],
  credit: CreditRow[],
): Promise<void> {
  const tenantDb = withinScope(db, [{ merchantId: head.merchantId, groups: 'all' }])
  const [command] = await lockCommands(tenantDb, { ids: [item.commandId] })
  const isOwn = command?.machineId === head.machineId
  const change = isOwn ? report(command, item.outcome, item.info ?? null, new Date(head.at)) : 'refused'
  if (change === 'refused') outcome.refusedResults.push(item)
  else if (change !== 'repeated' && command) {
    await changeCommand(db, command, change)
    if (command.type === appPaymentCommand) await endPayment(tenantDb, head, { ...item, command, credit })
  }
}
