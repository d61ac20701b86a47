import { sql } from 'kysely'
import type { RolloutCommand } from '#contract/updates/rollout.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { addEvent, changeRollout, type RolloutRecord, scopeOf } from './rollout.ts'
import { beginReturn, cancelUnclaimed } from './rollout-start.ts'
import { syncMachines } from './rollout-sync.ts'
import { reportedVersion } from './rule-target.ts'

interface By {
  id: string
  name: string
  note?: string | undefined
}

const isBad = sql`rm.state in ('failed', 'silent', 'alarmed')`

/** A user accepts that the bad machines are bad: they stop counting against the limits. Returns their number. */
async function accept(db: TenantDb, { merchantId, id }: RolloutRecord): Promise<number> {
  const { numAffectedRows } = await sql`update rollout_machines rm set is_accepted = true
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and ${isBad}
      and not rm.is_accepted`.execute(db.query)
  return Number(numAffectedRows ?? 0)
}

/**
 * Bad machines and those on hold try again: a machine that reports the version already is watched from the beginning, all others wait. What they
 * have received stays known. A machine without a version to return to stays on hold. Returns their number.
 */
async function retry(db: TenantDb, rollout: RolloutRecord, now: Date): Promise<number> {
  const { merchantId, id, plan } = rollout
  const watchUntil = new Date(now.getTime() + plan.healthMinutes * 60_000)
  const hasVersion = sql`v.version is not distinct from rm.to_version`
  const { numAffectedRows } =
    await sql`update rollout_machines rm set is_accepted = false, detail = null, changed_at = ${now},
      state = case when ${hasVersion} then 'watching' else 'waiting' end,
      reason = case when ${hasVersion} then 'healthy' end,
      reported_at = case when ${hasVersion} then ${now}::timestamptz end,
      watch_until = case when ${hasVersion} then ${watchUntil}::timestamptz end,
      cohort = case when ${hasVersion} then rm.cohort end,
      received_at = coalesce(rm.received_at, case when ${hasVersion} and rm.direction = 'forward' then ${now}::timestamptz end)
    from machines m ${reportedVersion(db, scopeOf(rollout), 'm')}
    where ${db.own('rm')} and rm.merchant_id = ${merchantId} and rm.rollout_id = ${id} and ${db.own('m')}
      and m.merchant_id = rm.merchant_id and m.id = rm.machine_id
      and (${isBad} or rm.state = 'held' and (rm.direction = 'forward' or rm.from_version is not null)) and rm.direction = ${rollout.direction}`.execute(
      db.query,
    )
  return Number(numAffectedRows ?? 0)
}

/** Carries out what a user decides, in the transaction that holds the rollout's lock. */
export async function controlRollout(
  db: TenantDb,
  rollout: RolloutRecord,
  command: RolloutCommand,
  by: By,
  now: Date,
): Promise<void> {
  const { note } = by
  const event = (act: Parameters<typeof addEvent>[2]['act'], machines?: number) =>
    addEvent(db, rollout, { act, by, note, ...(machines !== undefined && { machines }) }, now)
  const running = { state: 'running', haltedAt: null, halt: null } as const
  switch (command) {
    case 'start':
      await changeRollout(db, rollout, { state: 'running', startedAt: now, startedBy: by })
      await syncMachines(db, rollout, now)
      return event('started')
    case 'pause':
      await changeRollout(db, rollout, { state: 'paused' })
      return event('paused', (await cancelUnclaimed(db, rollout, now)).length)
    case 'resume': {
      const accepted = rollout.state === 'halted' ? await accept(db, rollout) : 0
      await changeRollout(db, rollout, running)
      return event('resumed', accepted)
    }
    case 'halt': {
      const halt = { cause: 'user' as const, count: null, allowed: null, size: null }
      await changeRollout(db, rollout, { state: 'halted', haltedAt: now, haltedBy: by.id, halt })
      await cancelUnclaimed(db, rollout, now)
      return addEvent(db, rollout, { act: 'halted', by, note, cohort: rollout.cohort, halt }, now)
    }
    case 'retry': {
      const machines = await retry(db, rollout, now)
      if (rollout.state !== 'paused') await changeRollout(db, rollout, running)
      return event('retried', machines)
    }
    case 'back':
      await cancelUnclaimed(db, rollout, now)
      await changeRollout(db, rollout, { ...running, direction: 'back', cohort: 0 })
      await beginReturn(db, rollout, now)
      return event('wentBack')
    case 'end':
      await cancelUnclaimed(db, rollout, now)
      await changeRollout(db, rollout, { state: 'ended', haltedAt: null })
      return event('ended')
  }
}
