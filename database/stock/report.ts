import type { StockItem } from '#contract/device-protocol.ts'
import { emptyBooks } from '#domain/stock/movement.ts'
import { stockStatusOf } from '#domain/stock/stock.ts'
import { earlierBy, toleratedDriftMs } from '#domain/time/clock.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'
import { type BookEntry, type BookedRow, enter, keyOf, openLedger, readMachineBooks, writeLedger } from './books.ts'
import { missedSales } from './missed-sales.ts'

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
  ...['product', 'level', 'capacity', 'warning_level', 'refilled_at', 'stock_type', 'gone'],
  ...['reported', 'reported_capacity', 'reported_warning'],
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
 * Stores the stock that machines report; an older report of a selection never replaces a newer one. A managed machine's report is a count
 * in its books. The caller has locked the journals.
 */
export async function writeStock(
  db: TenantDb,
  reports: readonly StockReport[],
  managed: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const own = reports.filter(({ machineId }) => managed.has(machineId))
  const others = rowsOf(reports.filter(({ machineId }) => !managed.has(machineId)))
  if (others.length > 0) await insertRows(db.query, 'machine_stock', stockColumns, newestOf(others), stockUpsert)
  if (own.length > 0) await bookReports(db, own, now)
}

/** A selection that a report names for the first time, without books. */
const newRow = (
  report: StockReport,
  { selection, capacity, warningLevel, ...said }: StockItem['levels'][number],
): BookedRow => ({
  merchantId: report.merchantId,
  machineId: report.machineId,
  selection,
  books: emptyBooks,
  capacity: capacity ?? null,
  warningLevel: warningLevel ?? null,
  stockType: said.stockType ?? null,
  refillValue: null,
  refilledAt: null,
  reported: said.level,
  gone: said.gone,
  at: new Date(report.at),
  epoch: report.epoch ?? 0,
  seq: report.seq ?? 0,
  status: stockStatusOf({ level: said.level, capacity: capacity ?? null, warningLevel: warningLevel ?? null }),
})

async function bookReports(db: TenantDb, reports: readonly StockReport[], now: Date): Promise<void> {
  const inOrder = reports.toSorted(
    (one, other) => (one.epoch ?? 0) - (other.epoch ?? 0) || (one.seq ?? 0) - (other.seq ?? 0),
  )
  const before = await readMachineBooks(db, [...new Set(reports.map(({ machineId }) => machineId))])
  await insertRows(db.query, 'machine_stock', stockColumns, newestOf(rowsOf(reports)), managedUpsert)
  const rows = new Map(before.map((row) => [keyOf(row), row]))
  const first = new Map<string, BookEntry>()
  const refills = new Map(before.map((row) => [keyOf(row), row.refilledAt?.getTime() ?? null]))
  const entries = inOrder.flatMap((report) =>
    report.stock.levels.flatMap((said): BookEntry[] => {
      const { merchantId, machineId } = report
      const { selection, level, gone } = said
      const key = keyOf({ machineId, selection })
      if (!rows.has(key)) rows.set(key, newRow(report, said))
      if (gone) return []
      const refilledAt = refilledAtOf(report, said.refilledAt)
      const known = refills.get(key) ?? null
      // Two readings of a clock that is wrong differ by seconds.
      const isRefilled = refilledAt !== null && (known === null || refilledAt > known + toleratedDriftMs)
      if (refilledAt !== null) refills.set(key, Math.max(known ?? refilledAt, refilledAt))
      const item = {
        at: report.at,
        epoch: report.epoch,
        seq: report.seq,
        kind: 'report' as const,
        level,
        refilledAt,
        isRefilled,
      }
      const entry = { merchantId, machineId, selection, item }
      if (!rows.get(key)?.books.anchor && !first.has(key)) first.set(key, entry)
      return [entry]
    }),
  )
  const missed = await missedSales(
    db,
    [...rows.values()],
    [...first.values()].map(({ item, ...key }) => ({ ...key, after: item })),
  )
  const ledger = openLedger([...rows.values()])
  await enter(db, ledger, [...missed, ...entries])
  await writeLedger(db, ledger, now)
}
