import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { type BookEntry, enter, keyOf, openLedger, readMachineBooks, type WrittenLedger, writeLedger } from './books.ts'
import { lookAtStock, managedAmong } from './stock-alarms.ts'

interface PlannedLine {
  merchantId: string
  machineId: string
  selection: string
  capacity: number
  warningLevel: number
  refillValue: number
}

/** The selections that the planograms of managed machines have. */
const plannedLines = async (db: TenantDb, machineIds: readonly string[]): Promise<PlannedLine[]> =>
  (
    await sql<PlannedLine>`
      select machine.merchant_id as "merchantId", machine.id as "machineId", line.selection, line.capacity,
        line.warning_level as "warningLevel", line.refill_value as "refillValue"
      from machines machine join planogram_lines line on line.merchant_id = machine.merchant_id
        and line.planogram_id = machine.planogram_id
      where ${db.own('machine')} and ${db.own('line')} and machine.id = any(${machineIds}::uuid[]) and machine.manage_stock`.execute(
      db.query,
    )
  ).rows

const columns = [
  'merchant_id',
  'machine_id',
  'selection',
  'capacity',
  'warning_level',
  'refill_value',
  'planned',
  'level',
  'gone',
  'at',
  'epoch',
  'seq',
]
/** A selection returns if only a planogram had it before; a selection that the machine removed stays removed. */
const takeOver = `on conflict (merchant_id, machine_id, selection) do update set
  capacity = excluded.capacity, warning_level = excluded.warning_level, refill_value = excluded.refill_value, planned = true,
  gone = machine_stock.gone and machine_stock.reported is not null`

/**
 * Gives selections of managed machines the capacity, warning level and refill value of their planogram, which may be another one or
 * changed. New selections are taken to be filled up to their refill value. The caller has locked the machines' journals. Returns the
 * machines whose alarms may change.
 */
export async function writePlanned(db: TenantDb, machineIds: readonly string[], now: Date): Promise<WrittenLedger> {
  if (machineIds.length === 0) return { moved: [], crossed: [] }
  const lines = await plannedLines(db, machineIds)
  const before = new Map((await readMachineBooks(db, machineIds)).map((row) => [keyOf(row), row]))
  const rows = lines
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((line) => [
      line.merchantId,
      line.machineId,
      line.selection,
      line.capacity,
      line.warningLevel,
      line.refillValue,
      true,
      0,
      false,
      now,
      0,
      0,
    ])
  await insertRows(db.query, 'machine_stock', columns, rows, takeOver)
  await sql`update machine_stock stock set planned = false, refill_value = null, capacity = stock.reported_capacity,
      warning_level = stock.reported_warning, gone = stock.gone or stock.reported is null
    where ${db.own('stock')} and stock.machine_id = any(${machineIds}::uuid[]) and stock.planned and not exists (
      select 1 from planogram_lines line join machines machine on machine.merchant_id = line.merchant_id
        and machine.planogram_id = line.planogram_id
      where ${db.own('line')} and ${db.own('machine')} and machine.manage_stock and line.merchant_id = stock.merchant_id
        and machine.id = stock.machine_id and line.selection = stock.selection)`.execute(db.query)
  const opened = lines.filter((line) => {
    const row = before.get(keyOf(line))
    return !row?.books.anchor || (row.gone && row.reported === null)
  })
  const ledger = openLedger(await readMachineBooks(db, machineIds))
  await enter(
    db,
    ledger,
    opened.map((line): BookEntry => {
      const place = { at: now.getTime(), epoch: null, seq: null }
      const { merchantId, machineId, selection, refillValue: level } = line
      const item = { ...place, kind: 'correction' as const, level, isOpening: true, isAssumed: true }
      return { merchantId, machineId, selection, item }
    }),
  )
  const { moved } = await writeLedger(db, ledger, now)
  return { moved, crossed: [...machineIds] }
}

/** Gives the managed machines of a planogram its selections, in all groups of its merchant. */
export async function replan(db: TenantDb, planogram: { merchant_id: string; id: string }, now: Date): Promise<void> {
  const wide = withinScope(db, [{ merchantId: planogram.merchant_id, groups: 'all' }])
  const machines = await wide
    .from('machines')
    .where('machines.merchant_id', '=', planogram.merchant_id)
    .where('machines.planogram_id', '=', planogram.id)
    .where('machines.manage_stock', '=', true)
    .select(['machines.merchant_id as merchantId', 'machines.id'])
    .execute()
  if (machines.length === 0) return
  const locked = [...(await lockJournals(wide, machines)).keys()]
  const { crossed } = await writePlanned(wide, locked, now)
  await lookAtStock(wide, crossed, now)
}

/** The same for machines that got a planogram or lost it. The caller has locked their journals. */
export async function replanMachines(db: TenantDb, machineIds: readonly string[], now: Date): Promise<void> {
  const { crossed } = await writePlanned(db, await managedAmong(db, machineIds), now)
  await lookAtStock(db, crossed, now)
}
