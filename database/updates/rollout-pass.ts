import { decide } from '#domain/updates/rollout.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { addEvent, changeRollout, findRollout, type RolloutRecord, tallyOfRollout } from './rollout.ts'
import { checkFlights } from './rollout-flight.ts'
import { beginReturn, cancelUnclaimed, type ReleaseOf, startMachines } from './rollout-start.ts'
import { syncEveryMs, syncMachines } from './rollout-sync.ts'

/** What a minute changed in a rollout. */
export interface Pass {
  rollout: RolloutRecord
  /** Machines with a new state, and those of them with a new command. */
  changed: string[]
  sent: string[]
  /** It halted, opened a cohort or is complete. */
  hasDecided: boolean
}

/** The rollouts of all merchants that are under way. */
export const dueRollouts = (doors: Doors) =>
  doors.withSystem(
    'rollouts',
    (db) =>
      db
        .selectFrom('rollouts')
        .where('state', 'in', ['running', 'paused', 'halted', 'complete'])
        .select(['merchant_id as merchantId', 'id'])
        .orderBy('merchant_id')
        .orderBy('id')
        .execute(),
    'single statement',
  )

/**
 * One minute of a rollout in one transaction: outcomes, decision, commands. The rollout is locked, so that of several workers one decides;
 * a worker that dies has decided nothing. Undefined: another worker has it.
 */
export const passRollout = (
  doors: Doors,
  { merchantId, id }: { merchantId: string; id: string },
  releaseOf: ReleaseOf,
  now: Date,
): Promise<Pass | undefined> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const rollout = await findRollout(db, id, 'skip')
    return rollout && passOf(db, rollout, releaseOf, now)
  })

async function passOf(db: TenantDb, rollout: RolloutRecord, releaseOf: ReleaseOf, now: Date): Promise<Pass> {
  const isDue = !rollout.syncedAt || now.getTime() - rollout.syncedAt.getTime() >= syncEveryMs
  if (isDue && rollout.direction === 'forward') await syncMachines(db, rollout, now)
  const changed = await checkFlights(db, rollout, now)
  if (rollout.direction === 'back' && rollout.state === 'running') await beginReturn(db, rollout, now)
  const tally = await tallyOfRollout(db, rollout)
  const decision = decide(rollout.plan, rollout, tally)
  if (decision.kind === 'halt') {
    const { halt } = decision
    await changeRollout(db, rollout, { state: 'halted', haltedAt: now, halt })
    const back = await cancelUnclaimed(db, rollout, now)
    await addEvent(db, rollout, { act: 'halted', cohort: rollout.cohort, halt }, now)
    return { rollout, changed: [...changed, ...back], sent: [], hasDecided: true }
  }
  const isComplete = decision.kind === 'complete' && rollout.state === 'running'
  if (isComplete) {
    const { cohort } = decision
    const isBack = rollout.direction === 'back'
    await changeRollout(db, rollout, { state: isBack ? 'ended' : 'complete', cohort })
    const event = isBack ? { act: 'returned' as const, machines: tally.confirmed } : { act: 'completed' as const }
    await addEvent(db, rollout, { ...event, cohort }, now)
  }
  if (decision.kind !== 'go') return { rollout, changed, sent: [], hasDecided: isComplete }
  const { cohort, room } = decision
  const next = { ...rollout, cohort, state: 'running' as const }
  const hasDecided = cohort !== rollout.cohort || rollout.state !== 'running'
  if (hasDecided) {
    await changeRollout(db, rollout, { state: 'running', cohort })
    for (let opened = rollout.cohort + 1; opened <= cohort; opened++)
      await addEvent(db, rollout, { act: 'cohortOpened', cohort: opened }, now)
  }
  const sent = await startMachines(db, next, room, releaseOf, now)
  return { rollout: next, changed: [...changed, ...sent], sent, hasDecided }
}
