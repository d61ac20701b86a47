import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant } from '../frame/shapes.ts'

/** A browser in which the user is signed in. */
export const Session = z.strictObject({
  id: z.uuid(),
  /** The session of this call. */
  isCurrent: z.boolean(),
  /** The browser's name, such as `Firefox`; null if unknown. */
  browser: z.string().nullable(),
  /** `Windows`, `Android` …; null if unknown. */
  system: z.string().nullable(),
  address: z.string(),
  /** The address is of the server's own network, or of its machine: no place can be known. */
  isLocal: z.boolean(),
  since: Instant,
  /** Accurate to some minutes: the time of its last token. */
  lastUsedAt: Instant,
})
export type Session = z.infer<typeof Session>

/** A user's sessions, the last used first. Users of an external provider have theirs there. */
const SessionList = z.strictObject({ isKeptElsewhere: z.boolean(), items: z.array(Session) })

export const sessions = {
  listSessions: endpoint({
    method: 'GET',
    path: '/users/me/sessions',
    summary: 'List your sessions, last used first; empty with an external identity provider',
    needs: 'profile.read',
    ok: SessionList,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions/{sessionId}',
    summary: 'End one of your sessions; its next request is refused',
    needs: 'profile.write',
    fails: ['SessionNotFound'],
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/users/me/sessions',
    summary: 'End all your other sessions',
    needs: 'profile.write',
    ok: z.strictObject({ ended: z.int() }),
  }),
}

/** Sessions of a user whom the caller manages, with all of the user's merchants. */
export const userSessions = {
  listUserSessions: endpoint({
    method: 'GET',
    path: '/users/{userId}/sessions',
    summary: 'List the sessions of a user, last used first; empty with an external identity provider',
    needs: 'user.write',
    ok: SessionList,
    fails: ['UserNotFound', 'UserBelongsElsewhere'],
  }),
  endUserSession: endpoint({
    method: 'DELETE',
    path: '/users/{userId}/sessions/{sessionId}',
    summary: 'End a session of a user; its next request is refused',
    needs: 'user.write',
    fails: ['UserNotFound', 'UserBelongsElsewhere', 'SessionNotFound'],
  }),
  endUserSessions: endpoint({
    method: 'DELETE',
    path: '/users/{userId}/sessions',
    summary: 'End all sessions of a user; every token issued so far is refused',
    needs: 'user.write',
    ok: z.strictObject({ ended: z.int() }),
    fails: ['UserNotFound', 'UserBelongsElsewhere'],
  }),
}
