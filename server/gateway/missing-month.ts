import { sql } from 'kysely'
import type { Doors } from '#database/frame/tenant.ts'
import type { StoreInput, StoreOutcome } from './store-batch.ts'

/** A row without a partition violates a check constraint that has no name. */
export const isWithoutPartition = (error: unknown) => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23514' && constraint === undefined
}

/** Stores rows of months without a partition: not yet created, or dropped long ago. Creates the partitions and retries. */
export const inAnyMonth =
  <I extends StoreInput>(doors: Doors, store: (inputs: I[]) => Promise<StoreOutcome[]>) =>
  async (inputs: I[]): Promise<StoreOutcome[]> => {
    try {
      return await store(inputs)
    } catch (error) {
      if (!isWithoutPartition(error)) throw error
      for (const month of monthsOf(inputs)) await makeMonth(doors, month)
      return store(inputs)
    }
  }

export const makeMonth = (doors: Doors, month: string) =>
  doors.withSystem('partitions', (db) =>
    sql`select ensure_partitions(${month}::timestamptz, ${month}::timestamptz)`.execute(db),
  )

const monthsOf = (inputs: readonly StoreInput[]) =>
  new Set(
    inputs.flatMap(({ entries }) => entries.map(({ at }) => `${new Date(at).toISOString().slice(0, 7)}-01T00:00:00Z`)),
  )
