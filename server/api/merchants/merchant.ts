import { Merchant, type merchants } from '#contract/merchants/merchant.ts'
import { MerchantFacts } from '#contract/people/user.ts'
import { isFeature, isProductFamily } from '#contract/vocabulary/feature.ts'
import { featuresOf, type listMerchants, pageOfMerchants, storeFeatures } from '#database/merchants/merchant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import type { Principal } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'

type MerchantRecord = Awaited<ReturnType<typeof listMerchants>>[number]

/** A merchant for its own users. */
export const presentMerchant = (row: MerchantRecord, user: Principal): MerchantFacts =>
  wireOf(MerchantFacts, row, besideMerchant(row, user))

const besideMerchant = (row: MerchantRecord, user: Principal) => ({
  closedBy: user.closed.find(({ merchantId }) => merchantId === row.id)?.code ?? null,
  screenConfigurationManagement: row.screen_configuration,
  features: row.features.filter(isFeature),
  productFamilies: row.product_families.filter(isProductFamily),
})

export const merchantHandlers: Handlers<typeof merchants> = {
  listMerchants: ({ doors, user, query }) =>
    doors.withTenant(
      user.scope,
      async (db) => {
        const { rows, total, capped } = await pageOfMerchants(db, query)
        return {
          items: rows.map((row) => wireOf(Merchant, row, besideMerchant(row, user))),
          total,
          capped,
        }
      },
      'read',
    ),

  getSuperAdminSettings: async ({ db, params }) => {
    refuseAll(params.merchantId)
    return featuresOf(db, params.merchantId)
  },

  updateSuperAdminSettings: async ({ db, params, body, user, now, live }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const subjectType = 'superAdminSettings'
    const before = await featuresOf(db, merchantId)
    const after = await storeFeatures(db, merchantId, body)
    if (!after) {
      return refuseOvertaken({ db, user }, subjectType, merchantId, await featuresOf(db, merchantId))
    }
    const subject = { subjectType, subjectId: merchantId }
    await recordChange(db, { merchantId, at: now, user, action: 'merchant.features', ...subject, before, after })
    // Menus and open screens of signed-in users update.
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return after
  },
}
