import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import { namesOfLine } from '#domain/frame/selection-name.ts'
import { isCountedBy } from '#domain/stock/counting.ts'
import {
  type Books,
  bookChange,
  type Change,
  type Entry,
  givesProduct,
  levelOf,
  needsEntries,
  soldFrom,
} from '#domain/stock/movement.ts'
import { refilledBy } from '#domain/stock/shortage.ts'
import { arrayText, type Insertion } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { EventRow, ItemHead, SaleRow } from '../ingest/ingest.ts'
import { instant } from '../ingest/instant.ts'
import {
  type BookEntry,
  type BookedRow,
  booksColumns,
  booksOf,
  crossedAmong,
  enter,
  keyOf,
  movementRows,
  type NewMovement,
  openLedger,
  readEntries,
  readMachineBooks,
  type StoredBooks,
  staleRows,
  type WrittenLedger,
  writeLedger,
} from './books.ts'
import { selectionsOf } from './missed-sales.ts'
import { settleRefills, type WaitingRefill, waitingRefills } from './refill.ts'

const nothing: WrittenLedger = { moved: [], crossed: [] }
const noSales: BookedSales = { ...nothing, insertions: [] }
const placeOf = ({ at, epoch, seq }: ItemHead) => ({ at, epoch, seq })

/** A selection that sales lower, with its books. */
interface SoldRow
  extends Pick<BookedRow, 'selection' | 'machineId' | 'capacity' | 'warningLevel' | 'stockType' | 'status'> {
  merchantId: string
  books: Books
  /** Whether the machine's numbers for lists are already marked as outdated. */
  isStale: boolean
}

const lineOf = ({ sale }: SaleRow) => (sale.priceLine === undefined ? '' : String(sale.priceLine))

/**
 * The selections of the sales' price lines, and the totals of hot drinks of their machines. Each name of a line is an own row: a list of names
 * would be compared with all selections of the machine, since under row-level security it is no condition of the index.
 */
async function readSold(db: TenantDb, vends: readonly SaleRow[]): Promise<SoldRow[]> {
  const lines = [...new Map(vends.map((row) => [`${row.machineId} ${lineOf(row)}`, row])).values()]
  const names = lines.flatMap((row) => namesOfLine(lineOf(row)).map((selection) => ({ row, selection })))
  const machines = [...new Map(vends.map((row) => [row.machineId, row])).values()]
  const columns = sql`stock.merchant_id as "merchantId", stock.machine_id as "machineId", stock.selection, stock.capacity,
    stock.warning_level as "warningLevel", stock.stock_type as "stockType", stock.status, supply.stale_at is not null as "isStale",
    ${booksColumns}`
  const supply = sql`left join machine_supplies supply on supply.merchant_id = stock.merchant_id
    and supply.machine_id = stock.machine_id and ${db.own('supply')}`
  const named = names.map(({ row }) => row)
  const rows = await preparedRows(
    db.query,
    sql<SoldRow & StoredBooks>`select ${columns}
    from unnest(${uuids(named, 'merchantId')}::uuid[], ${uuids(named, 'machineId')}::uuid[],
      ${arrayText(names.map(({ selection }) => selection))}::text[]) as wanted (merchant_id, machine_id, selection)
    join machine_stock stock on stock.merchant_id = wanted.merchant_id and stock.machine_id = wanted.machine_id
      and stock.selection = wanted.selection
    ${supply} where ${db.own('stock')}
    union all select ${columns} from machine_stock stock ${supply}
    where ${db.own('stock')} and stock.stock_type = 1 and stock.machine_id = any(${uuids(machines, 'machineId')}::uuid[])`,
  )
  // A line may be the total itself.
  return [...new Map(rows.map((row) => [keyOf(row), Object.assign(row, { books: booksOf(row) })])).values()]
}

const uuids = (rows: readonly SaleRow[], key: 'merchantId' | 'machineId') =>
  arrayText(
    rows.map((row) => row[key]),
    true,
  )

/** The lowered levels. The rows exist; an insertion has to name the required columns, and costs a third of an update of many rows. */
const levelRows = (rows: readonly SoldRow[], now: Date): Insertion => ({
  table: 'machine_stock',
  columns: [
    { name: 'merchant_id', type: 'uuid', values: rows.map((row) => row.merchantId) },
    { name: 'machine_id', type: 'uuid', values: rows.map((row) => row.machineId) },
    { name: 'selection', type: 'text', values: rows.map((row) => row.selection) },
    { name: 'level', type: 'int', values: rows.map(({ books }) => levelOf(books.balance)) },
    { name: 'balance', type: 'int', values: rows.map(({ books }) => books.balance) },
    { name: 'moved_at', type: 'timestamptz', values: rows.map(({ books }) => books.moved && instant(books.moved.at)) },
    { name: 'moved_epoch', type: 'int', values: rows.map(({ books }) => books.moved?.epoch) },
    { name: 'moved_seq', type: 'bigint', values: rows.map(({ books }) => books.moved?.seq) },
    { name: 'gone', type: 'boolean', value: false },
    { name: 'at', type: 'timestamptz', value: now.toISOString() },
    { name: 'epoch', type: 'int', value: 0 },
    { name: 'seq', type: 'bigint', value: 0 },
  ],
  tail: `on conflict (merchant_id, machine_id, selection) do update set
    ${['level', 'balance', 'moved_at', 'moved_epoch', 'moved_seq'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
})

/** What sales book: rows to store with them, in one statement. */
interface BookedSales extends WrittenLedger {
  insertions: Insertion[]
}

/**
 * Lowers the levels of managed machines by new sales. The rows note which selections they lower: a stored sale is its own movement. The books are
 * read in one statement, and none without a managed machine; the lowered levels are stored with the sales. The caller has locked the journals.
 */
export async function bookSales(
  db: TenantDb,
  rows: readonly SaleRow[],
  managed: ReadonlySet<string>,
  now: Date,
): Promise<BookedSales> {
  const vends = managed.size === 0 ? [] : rows.filter((row) => managed.has(row.machineId) && givesProduct(row.sale))
  if (vends.length === 0) return noSales
  const machines = new Map(
    [...Map.groupBy(await readSold(db, vends), ({ machineId }) => machineId)].map(([machineId, soldRows]) => [
      machineId,
      { has: selectionsOf(soldRows), books: new Map(soldRows.map((row) => [row.selection, row])) },
    ]),
  )
  const sold = vends.flatMap((row) => {
    const machine = machines.get(row.machineId)
    if (!machine) return []
    const change: Change = { ...placeOf(row), kind: 'sale', amount: -1 }
    return soldFrom(row.sale.priceLine, machine.has).map((selection) => ({
      row,
      change,
      stock: machine.books.get(selection) as SoldRow,
    }))
  })
  // Only a sale from before a refill: it may have been sold beyond the books.
  const late = sold.filter(({ change, stock }) => needsEntries(stock.books, change))
  const stored = await readEntries(
    db,
    late.map(({ change: from, stock: { merchantId, machineId, selection } }) => ({
      merchantId,
      machineId,
      selection,
      from,
    })),
  )
  const changed = new Set<SoldRow>()
  const added: NewMovement[] = []
  for (const { row, change, stock } of sold) {
    const { merchantId, machineId, selection } = stock
    const entries = stored.get(keyOf(stock)) ?? []
    stored.set(keyOf(stock), entries)
    const { books, movements } = bookChange(stock.books, change, entries)
    stock.books = books
    changed.add(stock)
    const isLine = selection === lineOf(row)
    const isNoted = isLine || row.lowersTotal === undefined
    if (isLine) row.lowersLine = true
    else row.lowersTotal ??= selection
    for (const movement of movements) {
      const isSale = movement.kind === 'sale' && !movement.isLate
      if (!movement.isLate) entries.push(movement as Entry)
      if (isSale && isNoted) continue
      added.push({ merchantId, machineId, selection, movement, from: {}, id: isSale ? row.id : randomUUIDv7() })
    }
  }
  if (changed.size === 0) return noSales
  // All transactions write rows in this order, which avoids deadlocks.
  const inOrder = [...changed].sort((one, other) =>
    (one.machineId === other.machineId ? one.selection < other.selection : one.machineId < other.machineId) ? -1 : 1,
  )
  const moved = [...new Map(inOrder.map((row) => [row.machineId, row])).values()]
  const fresh = moved.filter(({ isStale }) => !isStale)
  const insertions = [
    levelRows(inOrder, now),
    ...(fresh.length > 0 ? [staleRows(fresh, now)] : []),
    ...(added.length > 0 ? [movementRows(added)] : []),
  ]
  return { moved, crossed: crossedAmong(inOrder), insertions }
}

/** Up to which a refill fills a selection: its planogram's refill value; the total of hot drinks to its capacity. */
const filledTo = ({ refillValue, stockType, capacity }: BookedRow): number | null =>
  refillValue ?? (stockType === stockTypes.hotTotal ? capacity : null)

/**
 * Fills selections of managed machines up to their planogram's refill value when the machine says that it was refilled. A later report
 * with levels says how much it really was.
 */
export async function bookRefills(
  db: TenantDb,
  events: readonly EventRow[],
  { managed, counting }: { managed: ReadonlySet<string>; counting: ReadonlySet<string> },
  now: Date,
): Promise<WrittenLedger> {
  const refills = events.flatMap((event) => {
    const filled = event.active && managed.has(event.machineId) ? refilledBy(event.code) : undefined
    return filled ? [{ ...event, filled }] : []
  })
  if (refills.length === 0) return nothing
  const books = await readMachineBooks(db, [...new Set(refills.map(({ machineId }) => machineId))])
  // A machine that counts its stock has counted what users did at about that time.
  const waiting = await waitingRefills(
    db,
    refills.flatMap(({ machineId }) => (counting.has(machineId) ? [machineId] : [])),
  )
  const isConfirmed = (line: WaitingRefill) =>
    refills.some(
      ({ machineId, filled, at }) =>
        machineId === line.machineId &&
        (filled === 'all' || filled.selection === line.selection) &&
        isCountedBy(line.at.getTime(), at),
    )
  await settleRefills(db, waiting.filter(isConfirmed), 'confirmed', now)
  const ledger = openLedger(books)
  await enter(
    db,
    ledger,
    refills.flatMap((event) =>
      books
        .filter((row) => {
          const isMeant = event.filled === 'all' || event.filled.selection === row.selection
          return isMeant && row.machineId === event.machineId && filledTo(row) !== null && !row.gone
        })
        .map((row): BookEntry => {
          const { merchantId, machineId, selection } = row
          const level = filledTo(row) as number
          const count = { kind: 'refill' as const, level, isOpening: false, isAssumed: true }
          return { merchantId, machineId, selection, item: { ...placeOf(event), ...count } }
        }),
    ),
  )
  return writeLedger(db, ledger, now)
}
