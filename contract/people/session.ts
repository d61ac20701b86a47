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
  since: Instant,
  /** Accurate to some minutes: the time of its last token. */
  lastUsedAt: Instant,
})
export type Session = z.infer<typeof Session>

export const sessions = {
  listSessions: endpoint({
    method: 'GET',
    path: '/users/me/sessions',
    summary: 'List your sessions, last used first; empty with an external identity provider',
    needs: 'profile.read',
    ok: z.strictObject({ isKeptElsewhere: z.boolean(), items: z.array(Session) }),
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
