import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/instant.ts'
import type { merchants } from '#contract/merchant.ts'
import type { MerchantFacts } from '#contract/user.ts'
import type { Language } from '#contract/vocabulary/languages.ts'
import { lastChanges, recordChange } from '#database/change-log.ts'
import { featuresOf, type listMerchants, pageOfMerchants, storeFeatures } from '#database/merchant.ts'
import { seesInvisible } from './as-told.ts'
import type { Handlers } from './handler.ts'
import { refuseAll } from './refuse.ts'
import type { Principal } from './scope.ts'

type MerchantRecord = Awaited<ReturnType<typeof listMerchants>>[number]

/** A merchant as its people see it; `user` may be kept out of it. */
export const presentMerchant = (row: MerchantRecord, user: Principal): MerchantFacts => ({
  id: row.id,
  name: row.name,
  country: row.country,
  language: row.language as Language,
  timeZone: row.time_zone,
  currency: row.currency as MerchantFacts['currency'],
  isDemo: row.is_demo,
  demoExpiresOn: row.demo_expires_on,
  demoDaysLeft: row.demo_days_left,
  closedBy: user.closed.find(({ merchantId }) => merchantId === row.id)?.code ?? null,
  features: row.features,
  productFamilies: row.product_families,
})

export const merchantHandlers: Handlers<typeof merchants> = {
  listMerchants: ({ doors, user, query }) =>
    doors.withTenant(
      user.scope,
      async (db) => {
        const { rows, total, capped } = await pageOfMerchants(db, query)
        return {
          items: rows.map((row) => ({
            ...presentMerchant(row, user),
            legalName: row.legal_name,
            contactName: row.contact_name,
            contactEmail: row.contact_email,
            sapCode: row.sap_code,
            machines: row.machines,
            createdAt: toWire(row.created_at),
          })),
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
      const changed = (await lastChanges(db, subjectType, [merchantId], seesInvisible(user))).get(merchantId)
      throw new ProductError('EditConflict', {
        current: await featuresOf(db, merchantId),
        changedAt: changed ? toWire(changed.at) : null,
        changedBy: changed?.by ?? null,
      })
    }
    const subject = { subjectType, subjectId: merchantId }
    await recordChange(db, { merchantId, at: now, user, action: 'merchant.features', ...subject, before, after })
    // Menus and screens of those who are signed in follow.
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return after
  },
}
