import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/** A session of a user at the embedded provider. */
export interface SessionRecord {
  id: string
  since: Date
  lastUsedAt: Date
  /** The address of its last use. */
  address: string
  userAgent: string
}

const isAtProvider = sql<boolean>`exists (select 1 from identity_state s where s.model = 'Session'
  and s.uid = identity_sessions.provider_uid and (s.expires_at is null or s.expires_at > now()))`

/**
 * Records the use of a provider session, and returns its id for the token. Undefined if the session has ended at the provider, so that a
 * late token does not revive it.
 */
export async function useSession(
  db: SystemDb,
  use: { providerUid: string; userId: string; address: string; userAgent: string; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into identity_sessions (id, provider_uid, user_id, since, last_used_at, address, user_agent)
    select ${randomUUIDv7()}::uuid, s.uid, ${use.userId}::uuid, ${use.now}::timestamptz, ${use.now}::timestamptz,
      ${use.address}, ${use.userAgent}
    from (select uid from identity_state where model = 'Session' and uid = ${use.providerUid} for share) s
    on conflict (provider_uid) do update set last_used_at = excluded.last_used_at, address = excluded.address,
      user_agent = excluded.user_agent
    where identity_sessions.user_id = excluded.user_id
    returning id`.execute(db)
  return rows[0]?.id
}

/** A user's sessions, the last used first. */
export const sessionsOf = (doors: Doors, userId: string): Promise<SessionRecord[]> =>
  doors.withSystem(
    'identity',
    (db) =>
      db
        .selectFrom('identity_sessions')
        .select(['id', 'since', 'last_used_at as lastUsedAt', 'address', 'user_agent as userAgent'])
        .where('user_id', '=', userId)
        .where(isAtProvider)
        .orderBy('last_used_at', 'desc')
        .execute(),
    'single statement',
  )

/** The selected sessions of a user. */
type SessionChoice = { id: string } | { except: string | undefined }

/** Ends sessions of a user here and at the provider, so that no token is renewed. Returns their number. */
export async function endSessions(db: SystemDb, userId: string, choice: SessionChoice): Promise<number> {
  const ended = await db
    .deleteFrom('identity_sessions')
    .where('user_id', '=', userId)
    .$if('id' in choice, (query) => query.where('id', '=', (choice as { id: string }).id))
    .$if('except' in choice && choice.except !== undefined, (query) =>
      query.where('id', '!=', (choice as { except: string }).except),
    )
    .returning('provider_uid')
    .execute()
  const uids = ended.map((row) => row.provider_uid)
  if (uids.length > 0)
    await db.deleteFrom('identity_state').where('model', '=', 'Session').where('uid', 'in', uids).execute()
  return ended.length
}

/** Ends the session with this id at the provider. Returns its user. */
export async function endSessionAtProvider(db: SystemDb, providerUid: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('identity_sessions')
    .where('provider_uid', '=', providerUid)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Ends all sessions of an account at the provider but this one, with or without a token. */
export async function endOtherSessions(db: SystemDb, subject: string, providerUid: string): Promise<void> {
  const { rows } = await sql<{ uid: string }>`delete from identity_state
    where model = 'Session' and account_id = ${subject} and uid <> ${providerUid} returning uid`.execute(db)
  const uids = rows.map(({ uid }) => uid)
  if (uids.length > 0) await db.deleteFrom('identity_sessions').where('provider_uid', 'in', uids).execute()
}

/** Ends the sessions that a grant of a client belongs to, here and at the provider. Returns their users. */
export async function endSessionsOfGrant(db: SystemDb, clientId: string, grantId: string): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`delete from identity_state where model = 'Session'
    and payload #>> array['authorizations', ${clientId}, 'grantId']::text[] = ${grantId} returning uid`.execute(db)
  const uids = rows.map(({ uid }) => uid)
  if (uids.length === 0) return []
  const ended = await db
    .deleteFrom('identity_sessions')
    .where('provider_uid', 'in', uids)
    .returning('user_id')
    .execute()
  return [...new Set(ended.map((row) => row.user_id))]
}

/** Remembers an id until it expires. False when it is known: of two concurrent calls one gets true. */
export async function rememberOnce(db: SystemDb, model: string, id: string, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('identity_state')
    .values({ model, id, payload: '{}', expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
