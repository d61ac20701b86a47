import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { Change, Count } from '#domain/stock/movement.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  type BookEntry,
  enter,
  keyOf,
  openLedger,
  readBooks,
  readMachineBooks,
  withHotTotals,
  writeLedger,
} from './books.ts'
import { writePlanned } from './planned.ts'
import { lookAtStock, type MachineKey, managedAmong } from './stock-alarms.ts'

/** What a user books: what was filled, what was thrown away, or what is there. */
export interface UserMovement {
  merchantId: string
  machineId: string
  selection: string
  at: Date
  kind: 'refill' | 'waste' | 'correction'
  /** Pieces, 0 or more; of a correction the counted level. */
  amount: number
  visitId?: string
  user: { id: string; name: string } | null
}

export interface BookedMovements {
  /** Not booked: neither the machine nor its planogram has the selection, or the machine's stock is not managed. */
  unknown: { machineId: string; selection: string }[]
  /** Machines with other levels, and those with other alarms; the caller announces them. */
  moved: MachineKey[]
  alarmed: MachineKey[]
}

function itemOf({ kind, amount }: UserMovement, at: number): Change | Count {
  const place = { at, epoch: null, seq: null }
  if (kind === 'correction') return { ...place, kind, level: amount }
  return { ...place, kind, amount: kind === 'waste' ? -amount : amount }
}

/** Movements of one selection at one instant happened in the order of the list; each gets an instant of its own. */
function entriesOf(movements: readonly UserMovement[], now: Date): BookEntry[] {
  const last = new Map<string, number>()
  return movements
    .filter(({ kind, amount }) => kind === 'correction' || amount !== 0)
    .map((movement) => {
      const { merchantId, machineId, selection, visitId, user } = movement
      const key = keyOf(movement)
      // A phone's clock may be ahead; sales until then would be taken to have happened before.
      const at = Math.min(movement.at.getTime(), now.getTime())
      const before = last.get(key)
      const ownPlace = before !== undefined && before >= at && before - at < movements.length ? before + 1 : at
      last.set(key, ownPlace)
      return { merchantId, machineId, selection, item: itemOf(movement, ownPlace), visitId, user }
    })
}

/**
 * Books refills, waste and counts of users, and updates levels and alarms. Movements older than a selection's newest count change no
 * level: the count included them. The caller has locked the journals of all machines (`lockJournals`).
 */
export async function bookMovements(
  db: TenantDb,
  movements: readonly UserMovement[],
  now = new Date(),
): Promise<BookedMovements> {
  if (movements.length === 0) return { unknown: [], moved: [], alarmed: [] }
  const managed = new Set(await managedAmong(db, [...new Set(movements.map(({ machineId }) => machineId))]))
  const booked = movements.filter(({ machineId }) => managed.has(machineId))
  // What the machine removed is there again if its planogram has it.
  const read = async () =>
    (await readBooks(db, booked)).filter(({ gone, refillValue }) => !gone || refillValue !== null)
  let rows = await read()
  const storedKeys = new Set(rows.map(keyOf))
  const missing = booked.filter((one) => !storedKeys.has(keyOf(one)))
  if (missing.length > 0) {
    const machineIds = [...new Set(missing.map(({ machineId }) => machineId))]
    await writePlanned(db, machineIds, new Date(Math.min(...booked.map(({ at }) => at.getTime())) - 1))
    rows = await read()
  }
  const machineIds = [...new Set(booked.map(({ machineId }) => machineId))]
  const totals = (await readMachineBooks(db, machineIds)).filter(({ stockType }) => stockType === stockTypes.hotTotal)
  const all = [...new Map([...totals, ...rows].map((row) => [keyOf(row), row])).values()]
  const ledger = openLedger(all)
  await enter(db, ledger, withHotTotals(entriesOf(booked, now), all))
  const { moved } = await writeLedger(db, ledger, now)
  const changed = moved.map(({ machineId }) => machineId)
  const alarmed = changed.length === 0 ? [] : await lookAtStock(db, changed, now)
  const unknown = movements
    .filter((one) => !ledger.rows.has(keyOf(one)))
    .map(({ machineId, selection }) => ({ machineId, selection }))
  return { unknown: [...new Map(unknown.map((one) => [keyOf(one), one])).values()], moved, alarmed }
}
