import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type StockStatus, stockTypes } from '#contract/vocabulary/stock.ts'
import { type Difference, isFinding, noDifference } from '#domain/stock/counting.ts'
import {
  type Books,
  bookChange,
  bookCount,
  type Change,
  type Count,
  counts,
  type Entry,
  levelOf,
  type Movement,
  mayPrecede,
  type Position,
} from '#domain/stock/movement.ts'
import { stockStatusOf } from '#domain/stock/stock.ts'
import { type Column, type Insertion, insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/*
 * The books of managed machines: read, changed by the rules of domain/stock/movement.ts, and written. The caller has locked the machines'
 * journals, so that these rows have one writer at a time.
 */

export interface SelectionKey {
  merchantId: string
  machineId: string
  selection: string
}

/** A selection with its books. */
export interface BookedRow extends SelectionKey {
  books: Books
  capacity: number | null
  warningLevel: number | null
  stockType: number | null
  refillValue: number | null
  refilledAt: Date | null
  reported: number | null
  /** What the machine's reports say more or less, where the portal counts. */
  difference: Difference
  /** The last refill by the machine's own word. */
  machineRefilledAt: Date | null
  gone: boolean
  /** The machine's last report of it. */
  at: Date
  epoch: number
  seq: number
  /** Its status before this transaction's movements. */
  status: StockStatus
}

export interface BookEntry extends SelectionKey {
  item: Change | Count
  /** By default a new one. */
  id?: string
  visitId?: string | undefined
  user?: { id: string; name: string } | null
}

export const keyOf = ({ machineId, selection }: Pick<SelectionKey, 'machineId' | 'selection'>) =>
  `${machineId} ${selection}`

export interface StoredBooks {
  balance: number
  anchorKind: 'report' | 'refill' | 'correction' | null
  anchorAt: Date | null
  anchorEpoch: number | null
  anchorSeq: number | null
  anchorOpening: boolean
  anchorAssumed: boolean
  movedAt: Date | null
  movedEpoch: number | null
  movedSeq: number | null
  loadedAt: Date | null
}

interface StoredRow extends Omit<BookedRow, 'books' | 'difference'>, StoredBooks {
  difference: number
  differenceBefore: number
  differenceKept: number
}

/** The columns of `StoredBooks`. */
export const booksColumns = sql.raw(`stock.balance, stock.anchor_kind as "anchorKind", stock.anchor_at as "anchorAt",
  stock.anchor_epoch as "anchorEpoch", stock.anchor_seq as "anchorSeq", stock.anchor_opening as "anchorOpening",
  stock.anchor_assumed as "anchorAssumed", stock.moved_at as "movedAt", stock.moved_epoch as "movedEpoch",
  stock.moved_seq as "movedSeq", stock.loaded_at as "loadedAt"`)

const columns = sql`stock.merchant_id as "merchantId", stock.machine_id as "machineId", stock.selection,
  stock.capacity, stock.warning_level as "warningLevel", stock.stock_type as "stockType", stock.refill_value as "refillValue",
  stock.refilled_at as "refilledAt", stock.reported, stock.difference,
  stock.difference_before as "differenceBefore", stock.difference_kept as "differenceKept",
  stock.machine_refilled_at as "machineRefilledAt", stock.gone, stock.at, stock.epoch, stock.seq, stock.status, ${booksColumns}`

export function booksOf(row: StoredBooks): Books {
  const { balance, anchorKind, anchorAt, movedAt } = row
  const anchor = anchorKind &&
    anchorAt && {
      kind: anchorKind,
      at: anchorAt.getTime(),
      epoch: row.anchorEpoch,
      seq: row.anchorSeq,
      isOpening: row.anchorOpening,
      isAssumed: row.anchorAssumed,
    }
  const moved = movedAt && { at: movedAt.getTime(), epoch: row.movedEpoch, seq: row.movedSeq }
  return { balance, anchor, moved, loadedAt: row.loadedAt?.getTime() ?? null }
}

const bookedRow = ({
  difference: now,
  differenceBefore: before,
  differenceKept: kept,
  ...row
}: StoredRow): BookedRow => ({
  ...row,
  books: booksOf(row),
  difference: { now, before, kept },
})

/** The books of some selections. */
export async function readBooks(db: TenantDb, keys: readonly SelectionKey[]): Promise<BookedRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<StoredRow>`select distinct ${columns}
    from unnest(${keys.map(({ merchantId }) => merchantId)}::uuid[], ${keys.map(({ machineId }) => machineId)}::uuid[],
      ${keys.map(({ selection }) => selection)}::text[]) as wanted (merchant_id, machine_id, selection)
    join machine_stock stock on stock.merchant_id = wanted.merchant_id and stock.machine_id = wanted.machine_id
      and stock.selection = wanted.selection
    where ${db.own('stock')}`.execute(db.query)
  return rows.map(bookedRow)
}

/** All books of some machines. */
export async function readMachineBooks(db: TenantDb, machineIds: readonly string[]): Promise<BookedRow[]> {
  const { rows } = await sql<StoredRow>`select ${columns} from machine_stock stock
    where ${db.own('stock')} and stock.machine_id = any(${machineIds}::uuid[])`.execute(db.query)
  return rows.map(bookedRow)
}

/** How far back a change may lie by the clock although its number is after a count's: machines send items of up to 90 days. */
const longestMs = 100 * 86_400_000

/** The stored entries of some selections, each from a place on: read machine by machine, or the planner reads the sales of all. */
export async function readEntries(
  db: TenantDb,
  places: readonly (SelectionKey & { from: Position })[],
): Promise<Map<string, Entry[]>> {
  if (places.length === 0) return new Map()
  const from = new Date(Math.min(...places.map((one) => one.from.at)) - longestMs)
  const { rows } = await sql<Omit<SelectionKey, 'merchantId'> & Omit<Entry, 'at'> & { id: string; at: Date }>`
    select distinct moved.machine_id as "machineId", moved.selection, moved.id, moved.at, moved.kind, moved.amount, moved.epoch, moved.seq
    from unnest(${places.map(({ merchantId }) => merchantId)}::uuid[], ${places.map(({ machineId }) => machineId)}::uuid[],
      ${places.map(({ selection }) => selection)}::text[], ${places.map((one) => new Date(one.from.at))}::timestamptz[],
      ${places.map((one) => one.from.epoch)}::int[], ${places.map((one) => one.from.seq)}::bigint[])
      as place (merchant_id, machine_id, selection, at, epoch, seq)
    cross join lateral (
      select * from stock_entries entry
      where ${db.own('entry')} and entry.merchant_id = place.merchant_id and entry.machine_id = place.machine_id
        and entry.selection = place.selection and entry.at >= ${from} and not entry.late
        and entry.kind in ('sale', 'refill', 'waste', 'oversold')
        and (entry.at >= place.at or entry.epoch = place.epoch and entry.seq > place.seq)
      offset 0
    ) moved`.execute(db.query)
  const entries = rows.map((row) => ({ ...row, at: row.at.getTime() }))
  return Map.groupBy(entries, keyOf)
}

const isCount = (item: Change | Count): item is Count => 'level' in item

/** A movement to add. */
export type NewMovement = SelectionKey & { movement: Movement; id: string; from: Pick<BookEntry, 'visitId' | 'user'> }

/** What a transaction books: rows to change, and movements to add. */
export interface Ledger {
  rows: Map<string, BookedRow>
  changed: Set<string>
  movements: (NewMovement & { from: BookEntry })[]
}

export const openLedger = (rows: readonly BookedRow[]): Ledger => ({
  rows: new Map(rows.map((row) => [keyOf(row), row])),
  changed: new Set(),
  movements: [],
})

/** The last refill: of a report the machine's word for it. */
function refillOf({ refilledAt }: BookedRow, item: Change | Count): Date | null {
  const at = item.kind === 'refill' ? item.at : isCount(item) ? (item.refilledAt ?? null) : null
  return at === null ? refilledAt : new Date(Math.max(refilledAt?.getTime() ?? 0, at))
}

const isEntry = ({ kind, isLate }: Movement): boolean =>
  !isLate && (kind === 'sale' || kind === 'refill' || kind === 'waste' || kind === 'oversold')

/** Whether stored entries may be needed: something was booked after it, or at the same time. */
const mayFollow = ({ moved }: Books, item: Change | Count) =>
  isCount(item) ? mayPrecede({ moved }, item) : moved !== null && item.at <= moved.at

/** The last refill by the machine's own word: an event, or the time in its report. */
function machineRefillOf({ machineRefilledAt }: BookedRow, item: Change | Count): Date | null {
  const at =
    isCount(item) && item.kind === 'refill' && item.isAssumed
      ? item.at
      : isCount(item)
        ? (item.refilledAt ?? null)
        : null
  return at === null ? machineRefilledAt : new Date(Math.max(machineRefilledAt?.getTime() ?? 0, at))
}

/** Books entries, in their order; entries of selections that the ledger lacks are left out. */
export async function enter(db: TenantDb, ledger: Ledger, entries: readonly BookEntry[]): Promise<void> {
  const existing = entries.filter((entry) => ledger.rows.has(keyOf(entry)))
  const places = existing.filter((entry) => {
    const { books } = ledger.rows.get(keyOf(entry)) as BookedRow
    return mayFollow(books, entry.item) && (!isCount(entry.item) || counts(books, entry.item))
  })
  const stored = await readEntries(
    db,
    places.map(({ item: from, ...key }) => ({ ...key, from })),
  )
  const added = Map.groupBy(ledger.movements, keyOf)
  for (const entry of existing) {
    const key = keyOf(entry)
    const row = ledger.rows.get(key) as BookedRow
    const { item } = entry
    const placeEntries = added.get(key) ?? []
    added.set(key, placeEntries)
    const booked = placeEntries.map(({ movement }) => movement).filter(isEntry) as Entry[]
    const before = [...(stored.get(key) ?? []), ...booked]
    const { books, movements } = isCount(item)
      ? bookCount(row.books, item, before)
      : bookChange(row.books, item, before)
    if (books === row.books) continue
    const refilledAt = refillOf(row, item)
    const machineRefilledAt = machineRefillOf(row, item)
    // A count ends what a machine said beside the books.
    const difference = isCount(item) ? noDifference : row.difference
    ledger.rows.set(key, { ...row, books, refilledAt, machineRefilledAt, difference })
    ledger.changed.add(key)
    for (const movement of movements) {
      const { merchantId, machineId, selection } = entry
      const isItem = !movement.isLate && movement.kind !== 'oversold'
      const id = (isItem && entry.id) || randomUUIDv7()
      const one = { merchantId, machineId, selection, movement, id, from: entry }
      placeEntries.push(one)
      ledger.movements.push(one)
    }
  }
}

/** What is filled into a hot selection or taken out of it changes the machine's total of hot drinks too, as a sale does. */
export function withHotTotals(entries: readonly BookEntry[], rows: readonly BookedRow[]): BookEntry[] {
  const rowsByKey = new Map(rows.map((row) => [keyOf(row), row]))
  const totals = Map.groupBy(
    rows.filter(({ stockType, gone }) => stockType === stockTypes.hotTotal && !gone),
    ({ machineId }) => machineId,
  )
  return entries.flatMap((entry) => {
    const isHot = rowsByKey.has(keyOf(entry)) && rowsByKey.get(keyOf(entry))?.stockType === null
    const total = isHot && !isCount(entry.item) ? (totals.get(entry.machineId) ?? []) : []
    return [entry, ...total.map(({ selection }) => ({ ...entry, selection }))]
  })
}

const instant = (at: number) => new Date(at).toISOString()

export function movementRows(movements: readonly NewMovement[]): Insertion {
  const values = <Value extends string | number | boolean | null | undefined>(
    name: string,
    type: Column['type'],
    of: (one: NewMovement) => Value,
  ): Column => ({ name, type, values: movements.map(of) })
  return {
    table: 'stock_movements',
    columns: [
      values('merchant_id', 'uuid', (one) => one.merchantId),
      values('machine_id', 'uuid', (one) => one.machineId),
      values('at', 'timestamptz', ({ movement }) => instant(movement.at)),
      values('selection', 'text', (one) => one.selection),
      values('id', 'uuid', (one) => one.id),
      values('kind', 'text', ({ movement }) => movement.kind),
      values('amount', 'int', ({ movement }) => movement.amount),
      values('opening', 'boolean', ({ movement }) => movement.isOpening),
      values('late', 'boolean', ({ movement }) => movement.isLate),
      values('epoch', 'int', ({ movement }) => movement.epoch),
      values('seq', 'bigint', ({ movement }) => movement.seq),
      values('visit_id', 'uuid', ({ from }) => from.visitId),
      values('changed_by', 'uuid', ({ from }) => from.user?.id),
      values('changed_by_name', 'text', ({ from }) => from.user?.name),
    ],
  }
}

const bookColumns = [
  'level',
  'balance',
  'anchor_kind',
  'anchor_at',
  'anchor_epoch',
  'anchor_seq',
  'anchor_opening',
  'anchor_assumed',
  'moved_at',
  'moved_epoch',
  'moved_seq',
  'loaded_at',
  'difference',
  'difference_before',
  'difference_kept',
  'differs',
  'machine_refilled_at',
]

function bookRows(rows: readonly BookedRow[], now: Date): Insertion {
  const values = (
    name: string,
    type: Column['type'],
    of: (row: BookedRow) => string | number | boolean | null | undefined,
  ): Column => ({ name, type, values: rows.map(of) })
  return {
    table: 'machine_stock',
    columns: [
      values('merchant_id', 'uuid', (row) => row.merchantId),
      values('machine_id', 'uuid', (row) => row.machineId),
      values('selection', 'text', (row) => row.selection),
      values('level', 'int', ({ books }) => levelOf(books.balance)),
      values('balance', 'int', ({ books }) => books.balance),
      values('refilled_at', 'timestamptz', ({ refilledAt }) => refilledAt?.toISOString()),
      values('anchor_kind', 'text', ({ books }) => books.anchor?.kind),
      values('anchor_at', 'timestamptz', ({ books }) => books.anchor && instant(books.anchor.at)),
      values('anchor_epoch', 'int', ({ books }) => books.anchor?.epoch),
      values('anchor_seq', 'bigint', ({ books }) => books.anchor?.seq),
      values('anchor_opening', 'boolean', ({ books }) => books.anchor?.isOpening ?? false),
      values('anchor_assumed', 'boolean', ({ books }) => books.anchor?.isAssumed ?? false),
      values('moved_at', 'timestamptz', ({ books }) => books.moved && instant(books.moved.at)),
      values('moved_epoch', 'int', ({ books }) => books.moved?.epoch),
      values('moved_seq', 'bigint', ({ books }) => books.moved?.seq),
      values('loaded_at', 'timestamptz', ({ books }) => (books.loadedAt === null ? null : instant(books.loadedAt))),
      values('difference', 'int', ({ difference }) => difference.now),
      values('difference_before', 'int', ({ difference }) => difference.before),
      values('difference_kept', 'int', ({ difference }) => difference.kept),
      values('differs', 'boolean', ({ difference }) => isFinding(difference)),
      values('machine_refilled_at', 'timestamptz', ({ machineRefilledAt }) => machineRefilledAt?.toISOString()),
      // The row exists; an insertion has to name the required columns.
      { name: 'gone', type: 'boolean', value: false },
      { name: 'at', type: 'timestamptz', value: now.toISOString() },
      { name: 'epoch', type: 'int', value: 0 },
      { name: 'seq', type: 'bigint', value: 0 },
    ],
    tail: `on conflict (merchant_id, machine_id, selection) do update set
      refilled_at = greatest(machine_stock.refilled_at, excluded.refilled_at),
      ${bookColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  }
}

/** Marks the machines' numbers for lists as outdated; the worker computes them again. */
export function staleRows(machines: readonly { merchantId: string; machineId: string }[], now: Date): Insertion {
  return {
    table: 'machine_supplies',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: machines.map(({ merchantId }) => merchantId) },
      { name: 'machine_id', type: 'uuid', values: machines.map(({ machineId }) => machineId) },
      ...(['selections', 'level', 'capacity', 'out', 'low', 'lost_per_day'] as const).map(
        (name): Column => ({ name, type: 'int', value: 0 }),
      ),
      { name: 'computed_at', type: 'timestamptz', value: now.toISOString() },
      { name: 'stale_at', type: 'timestamptz', value: now.toISOString() },
    ],
    tail: `on conflict (merchant_id, machine_id) do update set stale_at = excluded.stale_at
      where machine_supplies.stale_at is null`,
  }
}

export interface WrittenLedger {
  /** The machines with a movement or another level. */
  moved: { merchantId: string; machineId: string }[]
  /** Those of them where a selection has another status than before. */
  crossed: string[]
}

/** Stores what was booked, in one statement; none if nothing was. */
export async function writeLedger(db: TenantDb, ledger: Ledger, now: Date): Promise<WrittenLedger> {
  // All transactions write rows in this order, which avoids deadlocks.
  const rows = [...ledger.changed].sort().map((key) => ledger.rows.get(key) as BookedRow)
  if (rows.length === 0) return { moved: [], crossed: [] }
  const machines = new Map(rows.map(({ merchantId, machineId }) => [machineId, { merchantId, machineId }]))
  const moved = [...machines.values()]
  const parts = [bookRows(rows, now), staleRows(moved, now)]
  await insertColumns(db.query, ...(ledger.movements.length > 0 ? [movementRows(ledger.movements)] : []), ...parts)
  return { moved, crossed: crossedAmong(rows) }
}

/** The machines where a selection has another status than before. */
export function crossedAmong(
  rows: readonly Pick<BookedRow, 'machineId' | 'books' | 'capacity' | 'warningLevel' | 'status'>[],
): string[] {
  const crossed = rows.filter(
    ({ books, capacity, warningLevel, status }) =>
      stockStatusOf({ level: levelOf(books.balance), capacity, warningLevel }) !== status,
  )
  return [...new Set(crossed.map(({ machineId }) => machineId))]
}
