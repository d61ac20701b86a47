import { ProductError } from '#contract/errors.ts'
import { secondFactorRoles, type signInRules } from '#contract/merchants/sign-in-rules.ts'
import {
  secondFactorRolesOf,
  secondFactorRolesToEdit,
  writeSecondFactorRoles,
} from '#database/merchants/sign-in-rules.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'

export const signInRulesHandlers: Handlers<typeof signInRules> = {
  getSignInRules: async ({ db, params }) => {
    refuseAll(params.merchantId)
    const chosen = await secondFactorRolesOf(db, params.merchantId)
    if (!chosen) throw new ProductError('MerchantNotFoundException')
    return { secondFactorRoles: chosen }
  },

  updateSignInRules: async ({ db, live, user, params, body, now }) => {
    const { merchantId } = params
    refuseAll(merchantId)
    const before = await secondFactorRolesToEdit(db, merchantId)
    if (!before) throw new ProductError('MerchantNotFoundException')
    // In the order of the roles, so that the same choice is no change.
    const after = secondFactorRoles.filter((role) => body.secondFactorRoles.includes(role))
    if (JSON.stringify(before) === JSON.stringify(after)) return { secondFactorRoles: after }
    // Signed-in users of a new role stay until their next sign-in.
    await writeSecondFactorRoles(db, merchantId, { roles: after, since: now })
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'merchantSettings.update',
      subjectType: 'merchantSettings',
      subjectId: merchantId,
      before: { secondFactorRoles: before },
      after: { secondFactorRoles: after },
    })
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return { secondFactorRoles: after }
  },
}
