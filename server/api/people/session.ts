import { ProductError } from '#contract/errors.ts'
import { Session, type sessions } from '#contract/people/session.ts'
import { endSessions, type SessionRecord, sessionsOf } from '#database/people/session.ts'
import { logSession } from '#database/people/user.ts'
import { isLocalAddress } from '#domain/frame/network-site.ts'
import { readUserAgent } from '#domain/frame/user-agent.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOfFacts } from '#server/http/wire.ts'

export const presentSession = (row: SessionRecord, currentId: string | undefined): Session =>
  wireOfFacts(Session, row, {
    isCurrent: row.id === currentId,
    isLocal: isLocalAddress(row.address),
    ...readUserAgent(row.userAgent),
  })

export const sessionHandlers: Handlers<typeof sessions> = {
  listSessions: async ({ doors, config, user, caller }) => {
    const rows = await sessionsOf(doors, user.id)
    return {
      isKeptElsewhere: config.OIDC_ISSUER !== undefined,
      items: rows.map((row) => presentSession(row, caller.sessionId)),
    }
  },

  endSession: async ({ doors, live, user, params, now }) => {
    const ended = await doors.withSystem('identity', (db) => endSessions(db, user.id, { id: params.sessionId }))
    if (ended === 0) throw new ProductError('SessionNotFound')
    live.announceUser(user.id)
    await logSession(doors, user.id, now, 'sessionEnded', 'one of the person’s own')
    return undefined
  },

  endOtherSessions: async ({ doors, live, user, caller, now }) => {
    const ended = await doors.withSystem('identity', (db) => endSessions(db, user.id, { except: caller.sessionId }))
    if (ended === 0) return { ended }
    live.announceUser(user.id)
    await logSession(doors, user.id, now, 'sessionEnded', `all others: ${ended}`)
    return { ended }
  },
}
