import { randomUUIDv7 } from 'node:crypto'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { changeRollout, findRollout, type StoredPlan, writeRollout } from '#database/updates/rollout.ts'
import { syncMachines } from '#database/updates/rollout-sync.ts'

/** A running rollout of a firmware: one machine first, then all, at any time. Returns its id. */
export async function aRunningRollout(
  doors: Doors,
  {
    merchantId,
    firmwareId,
    release,
    target,
    deviceTypes = ['AZVT'],
    plan = {},
  }: {
    merchantId: string
    firmwareId: string
    release: string
    target: RuleTarget
    deviceTypes?: string[]
    plan?: Partial<StoredPlan>
  },
): Promise<string> {
  const id = randomUUIDv7()
  const now = new Date()
  await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const stored: StoredPlan = {
      target,
      fromVersions: [],
      allowDowngrade: false,
      installWindow: null,
      cohorts: [
        { by: 'machines', size: 1 },
        { by: 'percent', size: 100 },
      ],
      goodPercent: 100,
      healthMinutes: 10,
      silentMinutes: 15,
      failedPercent: 0,
      silentPercent: 0,
      alarmedPercent: 0,
      ...plan,
    }
    await writeRollout(
      db,
      {
        merchantId,
        id,
        kind: 'firmware',
        name: 'Update',
        updateId: firmwareId,
        release,
        peripheral: null,
        deviceTypes,
        target,
        fromVersions: stored.fromVersions,
        withinGroups: null,
        plan: stored,
      },
      now,
    )
    const rollout = await findRollout(db, id)
    if (!rollout) throw new Error('The rollout was not stored.')
    await changeRollout(db, rollout, { state: 'running', startedAt: now, startedBy: { id: null, name: 'Test' } })
    await syncMachines(db, rollout, now)
  })
  return id
}
