import { ProductError } from '#contract/errors.ts'
import type { Me, MyMerchant, users } from '#contract/user.ts'
import type { Language } from '#contract/vocabulary/languages.ts'
import { listMerchants, logSession, updateOwnProfile } from '#database/user.ts'
import type { Handlers } from './handler.ts'
import { streamHints } from './live.ts'
import type { Principal } from './scope.ts'

const presentMe = (user: Pick<Principal, 'id' | 'email' | 'name' | 'role' | 'language'>): Me => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  language: user.language as Language | null,
})

export const userHandlers: Handlers<typeof users> = {
  getMe: async ({ user }) => presentMe(user),

  updateMe: async ({ doors, user, body, now }) => {
    const updated = await updateOwnProfile(doors, user.id, body)
    if (!updated) throw new ProductError('NotFound')
    await logSession(
      doors,
      user.id,
      now,
      'profile',
      `${user.name} (${user.language}) → ${body.name} (${body.language})`,
    )
    return presentMe({ ...user, ...updated })
  },

  listMyMerchants: ({ doors, user }) =>
    doors.withTenant(
      user.scope,
      async (db) => {
        const rows = await listMerchants(db)
        return rows.map((row) => ({
          id: row.id,
          name: row.name,
          country: row.country,
          language: row.language as Language,
          timeZone: row.time_zone,
          currency: row.currency as MyMerchant['currency'],
          isDemo: row.is_demo,
        }))
      },
      'read',
    ),

  logSessionEvent: async ({ doors, user, body, now, request }) => {
    request.log.info({ userId: user.id, event: body.type, reason: body.reason }, 'session ended')
    await logSession(doors, user.id, now, body.type, body.reason)
    return undefined
  },

  watchLive: async (call) => {
    streamHints(call)
    return undefined
  },
}
