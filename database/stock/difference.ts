import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import { differenceAfter, isFinding, keepBooks } from '#domain/stock/counting.ts'
import { isAfter, levelOf, mayPrecede } from '#domain/stock/movement.ts'
import { insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  type BookEntry,
  type BookedRow,
  enter,
  keyOf,
  openLedger,
  readEntries,
  readMachineBooks,
  staleRows,
  writeLedger,
} from './books.ts'
import { lookAtStock, type MachineKey } from './stock-alarms.ts'

/** What a machine's report says of a selection that the portal counts. */
export interface ReportedLevel {
  row: BookedRow
  level: number
  at: number
  epoch: number | null
  seq: number | null
}

const differs = ({ difference }: BookedRow) => isFinding(difference)

async function writeDifferences(db: TenantDb, rows: readonly BookedRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  // All transactions write rows in this order, which avoids deadlocks.
  const inOrder = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  await sql`update machine_stock stock set difference = said.now, difference_before = said.before, difference_kept = said.kept,
      differs = said.differs
    from unnest(${inOrder.map(({ merchantId }) => merchantId)}::uuid[], ${inOrder.map(({ machineId }) => machineId)}::uuid[],
      ${inOrder.map(({ selection }) => selection)}::text[], ${inOrder.map(({ difference }) => difference.now)}::int[],
      ${inOrder.map(({ difference }) => difference.before)}::int[], ${inOrder.map(({ difference }) => difference.kept)}::int[],
      ${inOrder.map(differs)}::boolean[]) as said (merchant_id, machine_id, selection, now, before, kept, differs)
    where ${db.own('stock')} and stock.merchant_id = said.merchant_id and stock.machine_id = said.machine_id
      and stock.selection = said.selection`.execute(db.query)
  const machines = [...new Map(inOrder.map((row) => [row.machineId, row])).values()]
  await insertColumns(db.query, staleRows(machines, now))
}

/**
 * Compares reports with the books at their moment, in their order. Nothing is booked: a machine does not know what users booked. A report
 * from before the newest count says nothing.
 */
export async function compareReports(db: TenantDb, reports: readonly ReportedLevel[], now: Date): Promise<void> {
  const isOld = ({ row, ...place }: ReportedLevel) =>
    (row.books.anchor !== null && isAfter(row.books.anchor, place)) ||
    ((place.epoch ?? 0) === row.epoch ? (place.seq ?? 0) <= row.seq : (place.epoch ?? 0) < row.epoch)
  // The machine's total of hot drinks is the sum of selections, which have differences of their own.
  const isTotal = ({ row }: ReportedLevel) => row.stockType === stockTypes.hotTotal
  const due = reports.filter((report) => !isOld(report) && !isTotal(report))
  const entries = await readEntries(
    db,
    due
      .filter(({ row, ...place }) => mayPrecede(row.books, place))
      .map(({ row, at, epoch, seq }) => ({ ...row, from: { at, epoch, seq } })),
  )
  const changed = new Map<string, BookedRow>()
  for (const { row, level, ...place } of due) {
    const key = keyOf(row)
    const { difference, books } = changed.get(key) ?? row
    const later = (entries.get(key) ?? []).filter((entry) => isAfter(entry, place))
    const expected = levelOf(books.balance - later.reduce((sum, { amount }) => sum + amount, 0))
    const after = differenceAfter(difference, level, expected)
    if (after.now === difference.now && after.before === difference.before) continue
    changed.set(key, { ...row, difference: after })
  }
  await writeDifferences(db, [...changed.values()], now)
}

/**
 * Ends the differences of some selections of a machine. `machine`: the machine's last number is a count of the user. `portal`: the books stay, and
 * the same difference is no finding again. Returns the machines whose alarms changed, and the selections. The caller has locked the journal.
 */
export async function settleDifferences(
  db: TenantDb,
  { merchantId, machineId }: MachineKey,
  selections: readonly string[],
  keep: 'portal' | 'machine',
  { user, now }: { user: { id: string; name: string }; now: Date },
): Promise<{ settled: string[]; alarmed: MachineKey[] }> {
  const selected = new Set(selections)
  const books = await readMachineBooks(db, [machineId])
  const rows = books.filter((row) => selected.has(row.selection) && !row.gone && row.reported !== null)
  const settled = rows.map(({ selection }) => selection)
  if (keep === 'portal') {
    await writeDifferences(
      db,
      rows.map((row) => ({ ...row, difference: keepBooks(row.difference) })),
      now,
    )
    return { settled, alarmed: [] }
  }
  const ledger = openLedger(books)
  await enter(
    db,
    ledger,
    rows.map(({ selection, reported, at, epoch, seq }): BookEntry => {
      const item = { kind: 'correction' as const, level: reported as number, at: at.getTime(), epoch, seq }
      return { merchantId, machineId, selection, item, user }
    }),
  )
  const { moved } = await writeLedger(db, ledger, now)
  return { settled, alarmed: moved.length > 0 ? await lookAtStock(db, [machineId], now) : [] }
}
