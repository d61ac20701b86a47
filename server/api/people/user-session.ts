import { ProductError } from '#contract/errors.ts'
import type { userSessions } from '#contract/people/session.ts'
import type { SystemDb } from '#database/frame/tenant.ts'
import { endTokensOf } from '#database/people/identity.ts'
import { endSessions, sessionsOf } from '#database/people/session.ts'
import { findUser, recordOfAdmin, type UserWithMemberships, userToEdit } from '#database/people/user-edit.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { refuseShared, visiblePerson } from './managed-user.ts'
import { presentSession } from './session.ts'

/** Ends sessions of a user and records how many, as `work` ends them. */
async function ended(
  { doors, live, user, now }: Pick<UserCall, 'doors' | 'live' | 'user' | 'now'>,
  userId: string,
  work: (db: SystemDb, person: UserWithMemberships) => Promise<number>,
): Promise<number> {
  const count = await doors.withSystem('people', async (db) => {
    const person = refuseShared(visiblePerson(await userToEdit(db, userId), user), user)
    const sessions = await work(db, person)
    if (sessions > 0)
      await recordOfAdmin(db, { at: now, user, person, action: 'user.endSessions', before: { sessions }, after: null })
    return sessions
  })
  if (count > 0) live.announceUser(userId)
  return count
}

/** Sessions of users, as managed by others. */
export const userSessionHandlers: Handlers<typeof userSessions> = {
  listUserSessions: async ({ doors, config, user, caller, params }) => {
    const person = refuseShared(visiblePerson(await findUser(doors, params.userId), user), user)
    const rows = await sessionsOf(doors, person.id)
    return {
      isKeptElsewhere: config.OIDC_ISSUER !== undefined,
      items: rows.map((row) => presentSession(row, caller.sessionId)),
    }
  },

  endUserSession: async (call) => {
    const { userId, sessionId } = call.params
    const count = await ended(call, userId, (db) => endSessions(db, userId, { id: sessionId }))
    if (count === 0) throw new ProductError('SessionNotFound')
    return undefined
  },

  endUserSessions: async (call) => {
    const { userId } = call.params
    const count = await ended(call, userId, async (db) => {
      const sessions = await endSessions(db, userId, { except: undefined })
      // Also tokens of an external provider, whose sessions are there.
      await endTokensOf(db, { id: userId }, call.now)
      return sessions
    })
    call.live.announceUser(userId)
    return { ended: count }
  },
}
