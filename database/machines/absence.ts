import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { markLateStretches } from '../sums/changed-days.ts'

export interface Absence {
  merchantId: string
  machineId: string
  /** The time of the last message, or of the first one after the absence. */
  at: Date
}

/** Begins the absences of machines that were online until `at`. */
export async function beginAbsences(
  db: Pick<TenantDb, 'query'>,
  machines: readonly Absence[],
  now: Date,
): Promise<void> {
  if (machines.length === 0) return
  await insertRows(
    db.query,
    'absences',
    ['merchant_id', 'machine_id', 'began_at'],
    machines.map(({ merchantId, machineId, at }) => [merchantId, machineId, at]),
    'on conflict (merchant_id, machine_id, began_at) do update set ended_at = null',
  )
  await markLateStretches(
    db,
    machines.map(({ merchantId, at }) => ({ merchantId, from: at, to: now })),
    now,
  )
}

/** Ends the absences of machines that are online since `at`. */
export async function endAbsences(
  db: Pick<TenantDb, 'query' | 'own'>,
  machines: readonly Absence[],
  now: Date,
): Promise<void> {
  if (machines.length === 0) return
  await sql`update absences set ended_at = greatest(absences.began_at, seen.at)
    from unnest(${machines.map(({ merchantId }) => merchantId)}::uuid[], ${machines.map(({ machineId }) => machineId)}::uuid[],
      ${machines.map(({ at }) => at.toISOString())}::timestamptz[]) as seen (merchant_id, machine_id, at)
    where ${db.own('absences')} and absences.merchant_id = seen.merchant_id and absences.machine_id = seen.machine_id
      and absences.ended_at is null`.execute(db.query)
  await markLateStretches(
    db,
    machines.map(({ merchantId, at }) => ({ merchantId, from: at, to: now })),
    now,
  )
}
