import { ProductError } from '#contract/errors.ts'
import type { Me, MerchantFacts, users } from '#contract/people/user.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { listMerchants } from '#database/merchants/merchant.ts'
import { endTokens, logSession, noteVisit, updateOwnProfile } from '#database/people/user.ts'
import { changedFields, isOvertaken } from '#domain/frame/editing.ts'
import { userMay } from '#domain/people/user-edit.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import type { Principal } from '#server/http/scope.ts'
import { presentMerchant } from '../merchants/merchant.ts'
import { streamHints } from '../platform/live.ts'

/** The user of a call. */
export const presentMe = (
  user: Pick<Principal, 'id' | 'version' | 'email' | 'name' | 'role' | 'language' | 'allowLicensing'>,
): Me => ({
  id: user.id,
  version: user.version,
  email: user.email,
  name: user.name,
  role: user.role,
  language: user.language as Language | null,
  mayLicense: userMay(user, 'license.write'),
})

/** The merchants that a user can see. Closed ones are included, so that the portal can explain why. */
export const merchantsOf = ({ doors, user }: Pick<UserCall, 'doors' | 'user'>): Promise<MerchantFacts[]> =>
  doors.withTenant(
    [...user.scope, ...user.closed.map(({ merchantId }) => ({ merchantId, groups: [] }))],
    async (db) => (await listMerchants(db)).map((row) => presentMerchant(row, user)),
    'read',
  )

export const userHandlers: Handlers<typeof users> = {
  getMe: async ({ doors, user, now }) => {
    await noteVisit(doors, user.id, now)
    return presentMe(user)
  },

  updateMe: async ({ doors, user, body, now }) => {
    const { version: _, ...profile } = body
    const updated = await updateOwnProfile(doors, user.id, profile, now, ({ version, email, name, language }) => {
      const current = { version, email, name, language }
      if (isOvertaken(body, current))
        throw new ProductError('EditConflict', {
          current: presentMe({ ...user, ...current }),
          changedAt: null,
          changedBy: current.name,
        })
      return changedFields(profile, current).length > 0
    })
    if (!updated) throw new ProductError('NotFound')
    const { version, name, language } = updated
    return presentMe({ ...user, version, name, language })
  },

  listMyMerchants: merchantsOf,

  logSessionEvent: async ({ doors, config, live, user, body, now, request }) => {
    request.log.info({ userId: user.id, event: body.type, reason: body.reason }, 'Session ended')
    await logSession(doors, user.id, now, body.type, body.reason)
    // The embedded provider announces it itself once its session has ended.
    if (body.type === 'logout' && config.OIDC_ISSUER) {
      await endTokens(doors, user.id, now)
      live.announceUser(user.id)
    }
    return undefined
  },

  watchLive: async (call) => {
    streamHints(call)
    return undefined
  },
}
