import { PlanogramMachine, type planogramAssignments } from '#contract/catalogue/planogram-assignment.ts'
import { ProductError } from '#contract/errors.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { listAssigned } from '#database/machines/assigned-machines.ts'
import { machineKeys } from '#database/machines/machine-acts.ts'
import type { EditableMachine } from '#database/machines/machine-edit.ts'
import { replanMachines } from '#database/stock/planned.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { type Assignment, assignMany, saveAssignment } from '../machines/assign-many.ts'
import { type Edit, machineNow } from '../machines/machine-edit.ts'
import { moveMachines } from '../machines/move-machines.ts'
import { planogramRecord } from './planogram.ts'

const toPlanogram: Assignment = {
  column: 'planogram_id',
  missing: 'PlanogramNotFound',
  // Locked, so that it is not deleted before the machines have it.
  ownerOf: async ({ db }, id) => (await planogramRecord.use(db, id)).merchant_id,
  // Stock of managed machines follows their planogram; its writers lock the journals first.
  lockFirst: async ({ db }, ids) => void (await lockJournals(db, await machineKeys(db, ids))),
  save: async (call, machines, to) => {
    await save(call, machines, to)
    await replanMachines(
      call.db,
      machines.map(({ id }) => id),
      call.now,
    )
  },
}
const save = saveAssignment({
  column: 'planogram_id',
  field: 'planogramId',
  action: 'machine.assignPlanogram',
  topic: 'planogram',
})

/** Gives machines a planogram, or none. The caller has locked their journals and then the machines. */
export async function assignPlanogram(
  call: Edit,
  machines: readonly EditableMachine[],
  to: string | null,
): Promise<void> {
  if (to !== null) await planogramRecord.use(call.db, to)
  await toPlanogram.save(call, machines, to)
}

/** Which machines have which planogram. */
export const planogramAssignmentHandlers: Handlers<typeof planogramAssignments> = {
  setMachinePlanogram: async (call) => {
    const { posId } = call.params
    const { refused } = await assignMany(call, { ids: [posId] }, toPlanogram, call.body.planogramId)
    if (refused[0]) throw new ProductError(refused[0].code)
    return machineNow(call, posId)
  },

  setMachinePlanograms: (call) => assignMany(call, call.body.machines, toPlanogram, call.body.planogramId),

  listPlanogramMachines: async ({ db, params, query }) => {
    const { merchant_id, id } = await planogramRecord.of(db, params.planogramId)
    const { rows, total, capped } = await listAssigned(db, { merchant_id, id, column: 'planogram_id' }, query)
    const items = rows.map((row) => wireOf(PlanogramMachine, row))
    return { items, total, capped }
  },

  movePlanogramMachines: async (call) => {
    const db = withinScope(call.db, call.user.scope)
    const planogram = await planogramRecord.use(db, call.params.planogramId)
    return moveMachines({ ...call, db }, { ...planogram, column: 'planogram_id' }, call.body, {
      before: async (ids) => void (await lockJournals(db, await machineKeys(db, ids))),
      after: (ids) => replanMachines(db, ids, call.now),
    })
  },
}
