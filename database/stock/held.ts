import type { Held } from '#domain/stock/bounds.ts'
import { levelAt, mayPrecede } from '#domain/stock/movement.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { keyOf, readEntries, readMachineBooks } from './books.ts'

/** What the selections of a managed machine held before something that a user did at a time. The caller has locked its journal. */
export async function heldBefore(db: TenantDb, machineId: string, at: Date): Promise<Map<string, Held>> {
  const rows = (await readMachineBooks(db, [machineId])).filter(
    ({ gone, refillValue }) => !gone || refillValue !== null,
  )
  const from = { at: at.getTime(), epoch: null, seq: null }
  const entries = await readEntries(
    db,
    rows.filter(({ books }) => mayPrecede(books, from)).map((row) => ({ ...row, from })),
  )
  return new Map(
    rows.map(({ machineId, selection, books, capacity }) => [
      selection,
      { capacity, level: levelAt(books, from.at, entries.get(keyOf({ machineId, selection })) ?? []) },
    ]),
  )
}
