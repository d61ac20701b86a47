import { NoVendMachine, type noVendAssignments } from '#contract/catalogue/no-vend-assignment.ts'
import { ProductError } from '#contract/errors.ts'
import type { ManyOutcome } from '#contract/machines/machine-acts.ts'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { listNoVendMachines } from '#database/catalogue/no-vend-machine.ts'
import { decodeNoVend } from '#domain/catalogue/no-vend.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { type Assignment, assignMany, type Choice, saveAssignment } from '../machines/assign-many.ts'
import { type Edit, machineNow } from '../machines/machine-edit.ts'
import { noVendRecord } from './no-vend-profile.ts'
import { sendProfiles } from './send-no-vend.ts'

const save = saveAssignment({
  column: 'no_vend_profile_id',
  field: 'noVendProfileId',
  action: 'machine.assignNoVendProfile',
  topic: 'noVendProfile',
})

const toProfile: Assignment = {
  column: 'no_vend_profile_id',
  missing: 'NoVendProfileNotFound',
  // Locked, so that it is not deleted before the machines have it.
  ownerOf: async ({ db }, id) => (await noVendRecord.use(db, id)).merchant_id,
  save: async (call, machines, to) => {
    await save(call, machines, to)
    const byMerchant = Map.groupBy(machines, ({ merchant_id }) => merchant_id)
    // In one order, so that two calls never wait for each other.
    for (const merchantId of [...byMerchant.keys()].sort())
      await sendProfiles(
        call,
        merchantId,
        (byMerchant.get(merchantId) ?? []).map(({ id }) => id),
      )
  },
}

const assign = (call: Edit, machines: Choice, to: string | null): Promise<ManyOutcome> =>
  assignMany(call, machines, toProfile, to)

/** Which machines have which no-vend profile. */
export const noVendAssignmentHandlers: Handlers<typeof noVendAssignments> = {
  setNoVendProfile: async (call) => {
    const { posId } = call.params
    const { noVendProfileId: to } = call.body
    const { refused, unchanged } = await assign(call, { ids: [posId] }, to)
    if (refused[0]) throw new ProductError(refused[0].code)
    const machine = await machineOf(call.db, posId)
    // The same profile once more, for a machine that lost it.
    if (to !== null && unchanged > 0 && !machine.is_no_vend_in_sync)
      await sendProfiles(call, machine.merchant_id, [posId], new Set([posId]))
    return machineNow(call, posId)
  },

  setNoVendProfiles: (call) => assign(call, call.body.machines, call.body.noVendProfileId),

  listNoVendMachines: async ({ db, params, query }) => {
    const { merchant_id, id } = await noVendRecord.of(db, params.noVendProfileId)
    const { rows, total, capped } = await listNoVendMachines(db, { merchant_id, id }, query)
    const items = rows.map((row) => {
      const selections = decodeNoVend((row.parameters ?? {}) as Parameters)?.selections ?? []
      return wireOf(NoVendMachine, row, { selections })
    })
    return { items, total, capped }
  },
}
