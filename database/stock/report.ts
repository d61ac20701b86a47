import type { StockItem } from '#contract/device-protocol.ts'
import { isCountedBy, noDifference } from '#domain/stock/counting.ts'
import { emptyBooks } from '#domain/stock/movement.ts'
import { stockStatusOf } from '#domain/stock/stock.ts'
import { earlierBy, toleratedDriftMs } from '#domain/time/clock.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'
import {
  type BookEntry,
  type BookedRow,
  enter,
  keyOf,
  openLedger,
  readMachineBooks,
  withHotTotals,
  writeLedger,
} from './books.ts'
import { compareReports, type ReportedLevel } from './difference.ts'
import { missedSales } from './missed-sales.ts'
import { entriesOf, settleRefills, type WaitingRefill, waitingRefills } from './refill.ts'
import { noteNamed } from './refill-outbox.ts'

export interface StockReport extends ItemHead {
  stock: StockItem
}

/** Of several rows with one key the last by the machine's own order: a statement cannot write a row twice. */
function newestOf<Row>(rows: readonly { key: string; seq: number; row: Row }[]): Row[] {
  const newest = new Map<string, { seq: number; row: Row }>()
  for (const { key, seq, row } of rows) if ((newest.get(key)?.seq ?? -1) < seq) newest.set(key, { seq, row })
  // All transactions write rows in this order, which avoids deadlocks.
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { row }]) => row)
}

const headColumns = ['at', 'epoch', 'seq'] as const
const headOf = ({ at, epoch, seq }: ItemHead) => [new Date(at), epoch ?? 0, seq ?? 0]
const upsertOf = (table: string, key: readonly string[], columns: readonly string[]) =>
  `on conflict (${key.join(', ')}) do update set
    ${columns
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
    where (${table}.epoch, ${table}.seq) < (excluded.epoch, excluded.seq)`

const stockKey = ['merchant_id', 'machine_id', 'selection']
const stockColumns = [
  ...stockKey,
  'product',
  'level',
  'capacity',
  'warning_level',
  'refilled_at',
  'stock_type',
  'gone',
  'reported',
  'reported_capacity',
  'reported_warning',
  ...headColumns,
]
const stockUpsert = upsertOf('machine_stock', stockKey, stockColumns)
/** Levels of managed machines come from their books; what the planogram says of a selection stays. */
const managedUpsert = (['capacity', 'warning_level'] as const).reduce(
  (text, column) =>
    text.replace(
      ` ${column} = excluded.${column}`,
      ` ${column} = case when machine_stock.planned then machine_stock.${column} else excluded.${column} end`,
    ),
  stockUpsert.replace(' level = excluded.level', ' level = machine_stock.level'),
)

const instantOf = (at: number | null) => (at === null ? null : new Date(at))
const refilledAtOf = ({ stock, ...head }: StockReport, refilledAt: string | undefined) =>
  refilledAt === undefined ? null : earlierBy(head, stock.at, refilledAt)

const rowsOf = (reports: readonly StockReport[]) =>
  reports.flatMap((report) =>
    report.stock.levels.map(
      ({ selection, level, capacity = null, warningLevel = null, refilledAt, product, stockType, gone }) => ({
        key: keyOf({ machineId: report.machineId, selection }),
        seq: report.seq ?? 0,
        row: [
          report.merchantId,
          report.machineId,
          selection,
          product ?? null,
          level,
          capacity,
          warningLevel,
          instantOf(refilledAtOf(report, refilledAt)),
          stockType ?? null,
          gone,
          level,
          capacity,
          warningLevel,
          ...headOf(report),
        ],
      }),
    ),
  )

/**
 * Stores the stock that machines report; an older report of a selection never replaces a newer one. The report of a managed machine that
 * counts its stock is a count in its books; where the portal counts, it is compared with them. The caller has locked the journals.
 */
export async function writeStock(
  db: TenantDb,
  reports: readonly StockReport[],
  { managed, counting }: { managed: ReadonlySet<string>; counting: ReadonlySet<string> },
  now: Date,
): Promise<void> {
  const managedReports = reports.filter(({ machineId }) => managed.has(machineId))
  const others = rowsOf(reports.filter(({ machineId }) => !managed.has(machineId)))
  if (others.length > 0) await insertRows(db.query, 'machine_stock', stockColumns, newestOf(others), stockUpsert)
  if (managedReports.length > 0) await bookReports(db, managedReports, counting, now)
}

/** A selection that a report names for the first time, without books. */
const newRow = (
  report: StockReport,
  { selection, capacity, warningLevel, ...reported }: StockItem['levels'][number],
): BookedRow => ({
  merchantId: report.merchantId,
  machineId: report.machineId,
  selection,
  books: emptyBooks,
  capacity: capacity ?? null,
  warningLevel: warningLevel ?? null,
  stockType: reported.stockType ?? null,
  refillValue: null,
  refilledAt: null,
  reported: reported.level,
  difference: noDifference,
  machineRefilledAt: null,
  gone: reported.gone,
  at: new Date(report.at),
  epoch: report.epoch ?? 0,
  seq: report.seq ?? 0,
  status: stockStatusOf({ level: reported.level, capacity: capacity ?? null, warningLevel: warningLevel ?? null }),
})

/** Where the portal counts, a report opens the books of a selection that no count has opened. */
const isUnopened = ({ books: { anchor } }: BookedRow) => anchor === null || (anchor.isAssumed && anchor.isOpening)

/** The lines that a report confirms: it names them, or the machine counts and was refilled since. */
function confirmedBy(report: StockReport, lines: readonly WaitingRefill[], counts: boolean): WaitingRefill[] {
  const named = new Set(report.stock.refills)
  const refilled = new Map(
    report.stock.levels.map(({ selection, refilledAt }) => [selection, refilledAtOf(report, refilledAt)]),
  )
  return lines.filter(
    ({ id, machineId, selection, at }) =>
      machineId === report.machineId &&
      (named.has(id) || (counts && isCountedBy(at.getTime(), refilled.get(selection) ?? null))),
  )
}

async function bookReports(
  db: TenantDb,
  reports: readonly StockReport[],
  counting: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const inOrder = reports.toSorted(
    (one, other) => (one.epoch ?? 0) - (other.epoch ?? 0) || (one.seq ?? 0) - (other.seq ?? 0),
  )
  const machineIds = [...new Set(reports.map(({ machineId }) => machineId))]
  const before = await readMachineBooks(db, machineIds)
  const waiting = await waitingRefills(db, machineIds)
  await noteNamed(
    db,
    reports.flatMap(({ merchantId, machineId, stock }) =>
      (stock.refills ?? []).map((id) => ({ merchantId, machineId, id })),
    ),
    now,
  )
  await insertRows(db.query, 'machine_stock', stockColumns, newestOf(rowsOf(reports)), managedUpsert)
  const rows = new Map(before.map((row) => [keyOf(row), row]))
  const first = new Map<string, BookEntry>()
  const refills = new Map(before.map((row) => [keyOf(row), row.refilledAt?.getTime() ?? null]))
  const settled = new Set<WaitingRefill>()
  const compared: (Omit<ReportedLevel, 'row'> & { key: string })[] = []
  const opened = new Set<string>()
  const entries = inOrder.flatMap((report) => {
    const { merchantId, machineId, at, epoch, seq } = report
    const counts = counting.has(machineId)
    const confirmed = confirmedBy(
      report,
      waiting.filter((line) => !settled.has(line)),
      counts,
    )
    for (const line of confirmed) settled.add(line)
    // What the machine counted as its own refill is in its numbers already.
    const added = confirmed.filter((line) => {
      const machineRefilledAt = rows.get(keyOf(line))?.machineRefilledAt?.getTime() ?? null
      const reportedRefill = report.stock.levels.find(({ selection }) => selection === line.selection)?.refilledAt
      const word = Math.max(machineRefilledAt ?? 0, refilledAtOf(report, reportedRefill) ?? 0)
      return !counts || !isCountedBy(line.at.getTime(), word || null)
    })
    const counted = report.stock.levels.flatMap((reportedLevel): BookEntry[] => {
      const { selection, level, gone } = reportedLevel
      const key = keyOf({ machineId, selection })
      const row = rows.get(key) ?? newRow(report, reportedLevel)
      rows.set(key, row)
      if (gone) return []
      if (!counts && (!isUnopened(row) || opened.has(key))) {
        compared.push({ key, level, at, epoch, seq })
        return []
      }
      opened.add(key)
      const refilledAt = refilledAtOf(report, reportedLevel.refilledAt)
      const lastRefill = refills.get(key) ?? null
      // Two readings of a clock that is wrong differ by seconds.
      const isRefilled = refilledAt !== null && (lastRefill === null || refilledAt > lastRefill + toleratedDriftMs)
      if (refilledAt !== null) refills.set(key, Math.max(lastRefill ?? refilledAt, refilledAt))
      const item = { at, epoch, seq, kind: 'report' as const, level, refilledAt, isRefilled }
      const entry = { merchantId, machineId, selection, item }
      if (!row.books.anchor && !first.has(key)) first.set(key, entry)
      return [entry]
    })
    const refillEntries = added.flatMap((line) => entriesOf(line, { at, epoch, seq }))
    return [...withHotTotals(refillEntries, [...rows.values()]), ...counted]
  })
  const missed = await missedSales(
    db,
    [...rows.values()],
    [...first.values()].map(({ item, ...key }) => ({ ...key, after: item })),
  )
  const ledger = openLedger([...rows.values()])
  await enter(db, ledger, [...missed, ...entries])
  await writeLedger(db, ledger, now)
  await settleRefills(db, [...settled], 'confirmed', now)
  await compareReports(
    db,
    compared.map(({ key, ...reported }) => ({ ...reported, row: ledger.rows.get(key) as BookedRow })),
    now,
  )
}
