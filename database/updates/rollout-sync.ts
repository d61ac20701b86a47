import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { entryOf } from '#domain/updates/rollout-machine.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { changeRollout, type RolloutRecord, scopeOf } from './rollout.ts'
import { newerVersions } from './rollout-start.ts'
import { isTarget, reportedVersion } from './rule-target.ts'

/** Machines that joined or left the targets are searched for this often. */
export const syncEveryMs = 5 * 60_000

const rowsPerStatement = 1_000

/** The place of a machine in a rollout: by chance, and always the same. */
const positionOf = (rolloutId: string, machineId: string) =>
  createHash('sha256').update(`${rolloutId} ${machineId}`).digest().readUInt32BE() >>> 1

interface Seen {
  machineId: string
  version: string | null
  state: string | null
  /** Whether the rollout has sent it the version before. */
  wasSent: boolean
}

/**
 * Adds machines that joined the targets, and marks machines that left. Machines in flight stay until their outcome, unless they were deleted
 * or moved to another merchant.
 */
export async function syncMachines(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<void> {
  const { merchantId, id } = rollout
  const scope = scopeOf(rollout)
  const ofRollout = sql`rm.merchant_id = m.merchant_id and rm.machine_id = m.id and rm.rollout_id = ${id} and ${db.own('rm')}`
  const newer = await newerVersions(db, rollout)
  const { rows: machines } = await sql<Seen>`
    select m.id as "machineId", v.version, rm.state,
      rm.received_at is not null or coalesce(rm.attempts, 0) > 0 as "wasSent"
    from machines m ${reportedVersion(db, scope, 'm')} left join rollout_machines rm on ${ofRollout}
    where ${db.own('m')} and m.merchant_id = ${merchantId} and ${isTarget(scope, 'm')}
      and (rm.state is null or rm.state = 'left'
        or (rm.state = 'current' and v.version is distinct from ${rollout.release})
        or (rm.state = 'waiting' and rm.direction = 'forward' and v.version = any(${[rollout.release, ...newer]}::text[])))`.execute(
    db.query,
  )
  const entries = machines.flatMap((one) => {
    const entry = entryOf(one, { toVersion: rollout.release, allowDowngrade: rollout.plan.allowDowngrade })
    return entry.state === one.state ? [] : [{ ...entry, machineId: one.machineId }]
  })
  const watchUntil = new Date(now.getTime() + rollout.plan.healthMinutes * 60_000)
  for (let from = 0; from < entries.length; from += rowsPerStatement) {
    await db.query
      .insertInto('rollout_machines')
      .values(
        entries.slice(from, from + rowsPerStatement).map(({ machineId, state, reason }) => ({
          merchant_id: merchantId,
          rollout_id: id,
          machine_id: machineId,
          position: positionOf(id, machineId),
          state,
          reason,
          to_version: rollout.release,
          changed_at: now,
          ...(state === 'watching' && { reported_at: now, received_at: now, watch_until: watchUntil }),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'rollout_id', 'machine_id']).doUpdateSet((excluded) => ({
          state: excluded.ref('excluded.state'),
          reason: excluded.ref('excluded.reason'),
          to_version: excluded.ref('excluded.to_version'),
          direction: 'forward',
          is_accepted: false,
          cohort: null,
          changed_at: now,
          reported_at: sql`coalesce(excluded.reported_at, rollout_machines.reported_at)`,
          received_at: sql`coalesce(rollout_machines.received_at, excluded.received_at)`,
          watch_until: excluded.ref('excluded.watch_until'),
        })),
      )
      .execute()
  }
  await sql`update rollout_machines rm set state = 'left', reason = 'movedAway', watch_until = null, changed_at = ${now}
    from machines m where ${db.own('rm')} and ${db.own('m')} and m.merchant_id = rm.merchant_id and m.id = rm.machine_id
      and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and rm.state <> 'left'
      and (m.deleted_at is not null
        or (rm.state in ('waiting', 'current', 'held') and rm.direction = 'forward' and not ${isTarget(scope, 'm')}))`.execute(
    db.query,
  )
  await changeRollout(db, rollout, { syncedAt: now })
}
