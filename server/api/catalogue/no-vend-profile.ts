import { NewNoVendProfile, NoVendProfile, type noVendProfiles } from '#contract/catalogue/no-vend-profile.ts'
import { ProductError } from '#contract/errors.ts'
import {
  holdProducts,
  machineIdsWithProfile,
  machinesWithProfile,
  noVendProfileList,
} from '#database/catalogue/no-vend-profile.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { sendProfiles } from './send-no-vend.ts'

export const noVendRecord = editable({
  noun: 'noVendProfile',
  rows: noVendProfileList,
  fields: NewNoVendProfile,
  present: (profile) => wireOf(NoVendProfile, profile),
  duplicates: { no_vend_profiles_by_name: ['NoVendProfileAlreadyExists', 'name'] },
  blockedBy: machinesWithProfile,
})

/** Products of another merchant answer as if they did not exist; others stay until the profile is saved. */
async function lockProducts(db: TenantDb, merchantId: string, { productIds }: Pick<NewNoVendProfile, 'productIds'>) {
  if (!(await holdProducts(db, merchantId, productIds))) throw new ProductError('ProductNotFound')
}

/** What machines do not sell and when. */
export const noVendProfileHandlers: Handlers<typeof noVendProfiles> = {
  ...noVendRecord.handlers,

  createNoVendProfile: async (call) => {
    await lockProducts(call.db, call.params.merchantId, call.body)
    return noVendRecord.create(call, call.params.merchantId, call.body)
  },

  updateNoVendProfile: async (narrow) => {
    const call = { ...narrow, db: withinScope(narrow.db, narrow.user.scope) }
    const profile = await noVendRecord.of(call.db, call.params.noVendProfileId)
    await lockProducts(call.db, profile.merchant_id, call.body)
    await noVendRecord.update(call, call.params.noVendProfileId, call.body)
    await sendProfiles(call, profile.merchant_id, await machineIdsWithProfile(call.db, profile))
    return noVendRecord.get(call, call.params.noVendProfileId)
  },
}
