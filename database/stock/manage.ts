import { sql } from 'kysely'
import type { StockCounter } from '#contract/vocabulary/stock.ts'
import { isAfter } from '#domain/stock/movement.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { writeServiceDays } from './availability/service-days.ts'
import { type BookEntry, enter, keyOf, openLedger, readMachineBooks, writeLedger } from './books.ts'
import { computeForecasts, writeForecasts } from './forecast/forecast.ts'
import { missedSales } from './missed-sales.ts'
import { writePlanned } from './planned.ts'
import { dropRefills } from './refill.ts'
import { lookAtStock, type MachineKey } from './stock-alarms.ts'
import { refreshSupplies } from './supply.ts'

/**
 * Turns stock management of machines on or off; the caller has locked their journals and checked that it changes. Returns the machines
 * whose alarms changed.
 */
export async function manageStock(
  db: TenantDb,
  machines: readonly MachineKey[],
  isOn: boolean,
  now: Date,
): Promise<MachineKey[]> {
  const ids = machines.map(({ machineId }) => machineId)
  if (ids.length === 0) return []
  await sql`update machine_journals set manages_stock = ${isOn}
    where ${db.narrow('machine_journals')} and machine_id = any(${ids}::uuid[])`.execute(db.query)
  await sql`update machines set manage_stock = ${isOn}, updated_at = ${now}, version = version + 1
    where ${db.narrow('machines')} and machines.id = any(${ids}::uuid[])`.execute(db.query)
  await (isOn ? open(db, ids, now) : close(db, ids, now))
  return lookAtStock(db, ids, now)
}

/** Sets who counts the stock of machines, whose journals the caller has locked. What the machines said before says nothing about it. */
export async function setStockCounter(
  db: TenantDb,
  machines: readonly MachineKey[],
  counter: StockCounter,
  now: Date,
): Promise<void> {
  const ids = machines.map(({ machineId }) => machineId)
  if (ids.length === 0) return
  await sql`update machine_journals set counts_stock = ${counter === 'machine'}
    where ${db.narrow('machine_journals')} and machine_id = any(${ids}::uuid[])`.execute(db.query)
  await sql`update machines set stock_counted_by = ${counter}, updated_at = ${now}, version = version + 1
    where ${db.narrow('machines')} and machines.id = any(${ids}::uuid[])`.execute(db.query)
  await sql`update machine_stock set difference = 0, difference_before = 0, difference_kept = 0, differs = false
    where ${db.narrow('machine_stock')} and machine_id = any(${ids}::uuid[])`.execute(db.query)
}

/** The levels are the machines' last reports again; selections that only a planogram had are gone. The books stay. */
async function close(db: TenantDb, ids: readonly string[], now: Date): Promise<void> {
  await dropRefills(db, ids, now)
  await sql`update machine_stock set difference = 0, difference_before = 0, difference_kept = 0, differs = false, level = coalesce(reported, level), gone = gone or reported is null, planned = false,
      refill_value = null, capacity = reported_capacity, warning_level = reported_warning
    where ${db.narrow('machine_stock')} and machine_id = any(${ids}::uuid[])`.execute(db.query)
  await sql`delete from machine_supplies where ${db.narrow('machine_supplies')} and machine_id = any(${ids}::uuid[])`.execute(
    db.query,
  )
}

/** Forgets what a machine reported. What was booked stays, and with it the selections that the machine's planogram has. */
export async function forgetReports(db: TenantDb, machineId: string): Promise<void> {
  await sql`delete from machine_stock where ${db.narrow('machine_stock')} and machine_id = ${machineId}::uuid
    and anchor_at is null and moved_at is null`.execute(db.query)
  await sql`update machine_stock set product = null, reported = null, reported_capacity = null, reported_warning = null,
      stock_type = null, gone = not planned, epoch = 0, seq = 0
    where ${db.narrow('machine_stock')} and machine_id = ${machineId}::uuid`.execute(db.query)
}

/**
 * Opens the books: at the last report of a selection, with the sales since then, or at the refill value of the planogram. A count from
 * an earlier time of management that is newer than the report still holds.
 */
async function open(db: TenantDb, ids: readonly string[], now: Date): Promise<void> {
  const rows = await readMachineBooks(db, ids)
  const reportedRows = rows.filter(({ gone, reported }) => !gone && reported !== null)
  const ledger = openLedger(rows)
  const reports = reportedRows.flatMap((row): BookEntry[] => {
    const { merchantId, machineId, selection, at, epoch, seq, reported } = row
    const place = { at: at.getTime(), epoch, seq }
    const isOlder = row.books.anchor && isAfter(row.books.anchor, place)
    const item = { ...place, kind: 'report' as const, level: reported as number, isOpening: true }
    return isOlder ? [] : [{ merchantId, machineId, selection, item }]
  })
  const opened = new Map(reports.map((entry) => [keyOf(entry), entry.item]))
  const places = reportedRows.map((row) => {
    const after = opened.get(keyOf(row)) ?? row.books.anchor ?? { at: now.getTime(), epoch: null, seq: null }
    return { merchantId: row.merchantId, machineId: row.machineId, selection: row.selection, after }
  })
  await enter(db, ledger, [...(await missedSales(db, rows, places)), ...reports])
  // Also a selection without a movement shows its books again.
  for (const row of reportedRows) ledger.changed.add(keyOf(row))
  await writeLedger(db, ledger, now)
  await writePlanned(db, ids, now)
  await writeForecasts(db, await computeForecasts(db, ids, now))
  await writeServiceDays(db, ids, now)
  await refreshSupplies(db, ids, now)
}
