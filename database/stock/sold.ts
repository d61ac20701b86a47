import { givesProduct, soldFrom } from '#domain/stock/movement.ts'
import { refilledBy } from '#domain/stock/shortage.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { EventRow, ItemHead, SaleRow } from '../ingest/ingest.ts'
import {
  type BookEntry,
  enter,
  openLedger,
  readBooks,
  readMachineBooks,
  type WrittenLedger,
  writeLedger,
} from './books.ts'
import { selectionsOf } from './missed-sales.ts'

const nothing: WrittenLedger = { moved: [], crossed: [] }
const placeOf = ({ at, epoch, seq }: ItemHead) => ({ at, epoch, seq })

/**
 * Lowers the levels of managed machines by their sales, whose rows were just stored: two statements, and none without a managed machine.
 * The caller has locked the journals.
 */
export async function bookSales(
  db: TenantDb,
  rows: readonly SaleRow[],
  managed: ReadonlySet<string>,
  now: Date,
): Promise<WrittenLedger> {
  if (managed.size === 0) return nothing
  const vends = rows.filter(({ machineId, sale }) => managed.has(machineId) && givesProduct(sale))
  if (vends.length === 0) return nothing
  const keys = vends.map(({ merchantId, machineId, sale }) => ({
    merchantId,
    machineId,
    selection: sale.priceLine === undefined ? '' : String(sale.priceLine),
  }))
  const books = await readBooks(db, keys, { hotTotals: true })
  const machines = new Map(
    [...Map.groupBy(books, ({ machineId }) => machineId)].map(([machineId, own]) => [machineId, selectionsOf(own)]),
  )
  const ledger = openLedger(books)
  const entries = vends.flatMap((row): BookEntry[] => {
    const { merchantId, machineId, id, sale } = row
    const has = machines.get(machineId)
    if (!has) return []
    return soldFrom(sale.priceLine, has).map((selection) => ({
      merchantId,
      machineId,
      selection,
      id,
      item: { ...placeOf(row), kind: 'sale', amount: -1 },
    }))
  })
  await enter(db, ledger, entries)
  return writeLedger(db, ledger, now)
}

/**
 * Fills selections of managed machines up to their planogram's refill value when the machine says that it was refilled. A later report
 * with levels says how much it really was.
 */
export async function bookRefills(
  db: TenantDb,
  events: readonly EventRow[],
  managed: ReadonlySet<string>,
  now: Date,
): Promise<WrittenLedger> {
  const refills = events.flatMap((event) => {
    const filled = event.active && managed.has(event.machineId) ? refilledBy(event.code) : undefined
    return filled ? [{ ...event, filled }] : []
  })
  if (refills.length === 0) return nothing
  const books = await readMachineBooks(db, [...new Set(refills.map(({ machineId }) => machineId))])
  const ledger = openLedger(books)
  await enter(
    db,
    ledger,
    refills.flatMap((event) =>
      books
        .filter(({ machineId, selection, refillValue, gone }) => {
          const isMeant = event.filled === 'all' || event.filled.selection === selection
          return isMeant && machineId === event.machineId && refillValue !== null && !gone
        })
        .map(({ merchantId, machineId, selection, refillValue }): BookEntry => {
          const count = { kind: 'refill' as const, level: refillValue as number, isOpening: false, isAssumed: true }
          return { merchantId, machineId, selection, item: { ...placeOf(event), ...count } }
        }),
    ),
  )
  return writeLedger(db, ledger, now)
}
