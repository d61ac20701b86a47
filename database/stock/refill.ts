import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Handling } from '#domain/stock/bounds.ts'
import { isCountedBy } from '#domain/stock/counting.ts'
import { bookingsOf } from '#domain/stock/visit.ts'
import { insertColumns, insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type BookEntry, readMachineBooks, staleRows } from './books.ts'
import { type BookedMovements, bookMovements } from './movement.ts'
import type { MachineKey } from './stock-alarms.ts'

/* What users do at machines. The gateway sends it to the machine. Where the machine counts its stock, the books wait for its confirmation. */

export interface HandledSelection extends Handling {
  selection: string
}

export type RefillStatus = 'booked' | 'waiting' | 'confirmed' | 'counted' | 'dropped'

const columns = [
  'merchant_id',
  'machine_id',
  'id',
  'selection',
  'at',
  'counted',
  'waste',
  'loaded',
  'visit_id',
  'user_id',
  'user_name',
  'status',
  'settled_at',
  'next_at',
  'created_at',
]

interface Act {
  at: Date
  visitId?: string
  user: { id: string; name: string } | null
}

const isSomething = ({ counted, waste, loaded }: Handling) => counted !== null || waste > 0 || loaded > 0

/**
 * Books what a user did at a managed machine, and leaves a message for it. Where the machine counts, nothing is booked before it confirms.
 * The caller has locked its journal.
 */
export async function bookHandling(
  db: TenantDb,
  machine: MachineKey & { countsStock: boolean },
  lines: readonly HandledSelection[],
  { at, visitId, user }: Act,
  now: Date,
): Promise<BookedMovements & { waiting: string[] }> {
  const { merchantId, machineId } = machine
  const handled = lines.filter(isSomething)
  const store = (some: readonly HandledSelection[], statusOf: (line: HandledSelection) => RefillStatus) => {
    const id = randomUUIDv7()
    const rows = some
      .toSorted((one, other) => (one.selection < other.selection ? -1 : 1))
      .map((line) => {
        const status = statusOf(line)
        const settledAt = status === 'waiting' ? null : now
        const nextAt = status === 'confirmed' ? null : now
        const what = [line.selection, at, line.counted, line.waste, line.loaded]
        const who = [visitId ?? null, user?.id ?? null, user?.name ?? null]
        return [merchantId, machineId, id, ...what, ...who, status, settledAt, nextAt, now]
      })
    return insertRows(db.query, 'stock_refills', columns, rows)
  }
  if (!machine.countsStock) {
    const movements = bookingsOf(handled).map((booking) => ({
      merchantId,
      machineId,
      at,
      user,
      ...booking,
      ...(visitId !== undefined && { visitId }),
    }))
    const booked = await bookMovements(db, movements, now)
    const unknown = new Set(booked.unknown.map(({ selection }) => selection))
    await store(
      handled.filter(({ selection }) => !unknown.has(selection)),
      () => 'booked',
    )
    return { ...booked, waiting: [] }
  }
  const books = await readMachineBooks(db, [machineId])
  const rows = new Map(
    books.filter(({ gone, refillValue }) => !gone || refillValue !== null).map((row) => [row.selection, row]),
  )
  const booked = handled.filter(({ selection }) => rows.has(selection))
  const isCounted = ({ selection }: HandledSelection) =>
    isCountedBy(at.getTime(), rows.get(selection)?.machineRefilledAt?.getTime() ?? null)
  await store(booked, (line) => (isCounted(line) ? 'confirmed' : 'waiting'))
  await markStale(db, [machine], now)
  return {
    unknown: handled.filter(({ selection }) => !rows.has(selection)).map(({ selection }) => ({ machineId, selection })),
    moved: [],
    alarmed: [],
    waiting: booked.filter((line) => !isCounted(line)).map(({ selection }) => selection),
  }
}

/** Lists show which machines have lines that wait. */
const markStale = (db: TenantDb, machines: readonly MachineKey[], now: Date) =>
  insertColumns(db.query, staleRows([...new Map(machines.map((one) => [one.machineId, one])).values()], now))

/** A line that waits for its machine. */
export interface WaitingRefill extends MachineKey, HandledSelection {
  id: string
  at: Date
  visitId: string | null
  userId: string | null
  userName: string | null
  createdAt: Date
}

/** The lines that wait for some machines, oldest first. */
export async function waitingRefills(db: TenantDb, machineIds: readonly string[]): Promise<WaitingRefill[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<WaitingRefill>`
    select merchant_id as "merchantId", machine_id as "machineId", id, selection, at, counted, waste, loaded, visit_id as "visitId",
      user_id as "userId", user_name as "userName", created_at as "createdAt"
    from stock_refills refill where ${db.narrow('stock_refills', 'refill')} and machine_id = any(${machineIds}::uuid[])
      and status = 'waiting'
    order by at, id, selection`.execute(db.query)
  return rows
}

/** Ends lines that wait. */
export async function settleRefills(
  db: TenantDb,
  lines: readonly (MachineKey & { id: string; selection: string })[],
  status: Exclude<RefillStatus, 'waiting'>,
  now: Date,
): Promise<void> {
  if (lines.length === 0) return
  await sql`update stock_refills refill set status = ${status}, settled_at = ${now},
      next_at = case when ${status} in ('dropped', 'confirmed') then null else refill.next_at end
    from unnest(${lines.map(({ merchantId }) => merchantId)}::uuid[], ${lines.map(({ machineId }) => machineId)}::uuid[],
      ${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ selection }) => selection)}::text[])
      as line (merchant_id, machine_id, id, selection)
    where ${db.own('refill')} and refill.merchant_id = line.merchant_id and refill.machine_id = line.machine_id
      and refill.id = line.id and refill.selection = line.selection and refill.status = 'waiting'`.execute(db.query)
  await markStale(db, lines, now)
}

/** Ends all lines that wait for some machines: their stock is not managed any longer. */
export async function dropRefills(db: TenantDb, machineIds: readonly string[], now: Date): Promise<void> {
  await settleRefills(db, await waitingRefills(db, machineIds), 'dropped', now)
}

/** A line that a machine confirms, as entries of its books at the place of its report. */
export const entriesOf = (
  { merchantId, machineId, selection, waste, loaded, visitId, userId, userName }: WaitingRefill,
  place: { at: number; epoch: number | null; seq: number | null },
): BookEntry[] => {
  const from = {
    merchantId,
    machineId,
    selection,
    ...(visitId !== null && { visitId }),
    user: userId === null ? null : { id: userId, name: userName ?? '' },
  }
  return [
    ...(waste > 0 ? [{ ...from, item: { ...place, kind: 'waste' as const, amount: -waste } }] : []),
    ...(loaded > 0 ? [{ ...from, item: { ...place, kind: 'refill' as const, amount: loaded } }] : []),
  ]
}
