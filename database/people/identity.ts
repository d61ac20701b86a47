import { sql } from 'kysely'
import { Role } from '#contract/vocabulary/roles.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import type { SystemDb } from '../frame/tenant.ts'

/**
 * The value of `users.issuer` for users of the embedded provider. A fixed name instead of an address, so that users stay the same when
 * the deployment moves.
 */
export const embeddedIssuer = 'urn:gettone:identity'

/** A user of the embedded provider. */
export interface Account {
  id: string
  /** The user's subject at this provider; null for invited users and users of another provider. */
  subject: string | null
  email: string
  name: string
  role: Role
  language: Language | null
  status: string
  passwordHash: string | null
  /** Tokens issued before are refused. */
  sessionsValidFrom: Date | null
}

const accounts = (db: SystemDb) =>
  db
    .selectFrom('users')
    .leftJoin('identity_credentials', 'identity_credentials.user_id', 'users.id')
    .select([
      'users.id',
      'users.issuer',
      'users.subject',
      'users.email',
      'users.name',
      'users.role',
      'users.language',
      'users.status',
      'users.sessions_valid_from as sessionsValidFrom',
      'identity_credentials.password_hash as passwordHash',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>

const accountOf = ({ issuer, ...row }: Row): Account => ({
  ...row,
  subject: issuer === embeddedIssuer ? row.subject : null,
  role: Role.parse(row.role),
  language: Language.nullable().catch(null).parse(row.language),
})

/** The user who signs in with this e-mail address; undefined if invited, suspended or of another provider. */
export async function accountByEmail(db: SystemDb, email: string): Promise<Account | undefined> {
  const row = await accounts(db)
    .where('users.email', '=', email.trim().toLowerCase())
    .where('users.issuer', '=', embeddedIssuer)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  return row && accountOf(row)
}

/** The user of a subject of the embedded provider; undefined if suspended. */
export async function accountBySubject(db: SystemDb, subject: string): Promise<Account | undefined> {
  const row = await accounts(db)
    .where('users.issuer', '=', embeddedIssuer)
    .where('users.subject', '=', subject)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
  return row && accountOf(row)
}

/** A user by id, in any state. */
export async function accountById(db: SystemDb, userId: string): Promise<Account | undefined> {
  const row = await accounts(db).where('users.id', '=', userId).executeTakeFirst()
  return row && accountOf(row)
}

/** Binds a user permanently to a provider's subject. An invited user becomes active; a suspended one stays suspended. */
export async function bindUser(db: SystemDb, userId: string, issuer: string, subject: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ issuer, subject, status: sql`case when status = 'invited' then 'active' else status end` })
    .where('id', '=', userId)
    .execute()
}

export async function savePassword(db: SystemDb, userId: string, passwordHash: string, now: Date): Promise<void> {
  await db
    .insertInto('identity_credentials')
    .values({ user_id: userId, password_hash: passwordHash, changed_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: passwordHash, changed_at: now }))
    .execute()
}

export type LinkPurpose = 'invitation' | 'reset'

/** Stores a one-time link by its hash; the user's earlier links of that purpose end. */
export async function saveLink(
  db: SystemDb,
  link: { hash: string; purpose: LinkPurpose; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable('identity_links')
    .set({ used_at: link.now })
    .where('user_id', '=', link.userId)
    .where('purpose', '=', link.purpose)
    .where('used_at', 'is', null)
    .execute()
  await db
    .insertInto('identity_links')
    .values({
      hash: link.hash,
      purpose: link.purpose,
      user_id: link.userId,
      created_at: link.now,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** Locks a user's account data until the transaction ends. */
export async function lockUser(db: SystemDb, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/** How many links of a purpose a user got since an instant. */
export async function countLinks(db: SystemDb, userId: string, purpose: LinkPurpose, since: Date): Promise<number> {
  const row = await db
    .selectFrom('identity_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The user of a link that is still valid. */
export async function userOfLink(
  db: SystemDb,
  hash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity_links')
    .select('user_id')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses up a link and returns its user; of two concurrent uses one succeeds. */
export async function useLink(
  db: SystemDb,
  hash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('identity_links')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Ends all unused links of a user: after a password change no older link may work. */
export async function endLinks(db: SystemDb, userId: string, now: Date): Promise<void> {
  await db
    .updateTable('identity_links')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Counts an attempt in a bucket before the attempt, so that concurrent attempts cannot pass the limit. False while the bucket is blocked.
 */
export async function countAttempt(
  db: SystemDb,
  attempt: {
    bucket: string
    now: Date
    windowSeconds: number
    free: number
    firstDelaySeconds: number
    longestDelaySeconds: number
  },
): Promise<boolean> {
  const { bucket, now, windowSeconds, free, firstDelaySeconds, longestDelaySeconds } = attempt
  const failures = sql`case when identity_attempts.last_at < ${now}::timestamptz - make_interval(secs => ${windowSeconds})
    then 1 else identity_attempts.failures + 1 end`
  // Doubles with each further failure; the exponent is bounded to prevent an overflow.
  const delay = sql`least(${longestDelaySeconds}::float8, ${firstDelaySeconds}::float8 * 2 ^ least((${failures}) - ${free} - 1, 30))`
  const { rows } = await sql`
    insert into identity_attempts (bucket, failures, last_at) values (${bucket}, 1, ${now})
    on conflict (bucket) do update set
      failures = ${failures},
      last_at = ${now}::timestamptz,
      blocked_until = case when (${failures}) > ${free}::int then ${now}::timestamptz + make_interval(secs => ${delay}) end
    where identity_attempts.blocked_until is null or identity_attempts.blocked_until <= ${now}::timestamptz
    returning bucket`.execute(db)
  return rows.length === 1
}

/** Known places share the attempts table, without failures: an account and an address of earlier sign-ins. */
const knownPlace = 'known:'

/** Stores an address from which the owner of an account has signed in. */
export async function rememberPlace(db: SystemDb, place: string, now: Date): Promise<void> {
  await db
    .insertInto('identity_attempts')
    .values({ bucket: knownPlace + place, failures: 0, last_at: now })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ last_at: now }))
    .execute()
}

export async function isKnownPlace(db: SystemDb, place: string): Promise<boolean> {
  const bucket = knownPlace + place
  const row = await db.selectFrom('identity_attempts').select('bucket').where('bucket', '=', bucket).executeTakeFirst()
  return row !== undefined
}

export async function forgetAttempts(db: SystemDb, buckets: readonly string[]): Promise<void> {
  await db.deleteFrom('identity_attempts').where('bucket', 'in', buckets).execute()
}

/** Takes back one count after a successful attempt. */
export async function forgiveAttempt(db: SystemDb, buckets: readonly string[]): Promise<void> {
  await db
    .updateTable('identity_attempts')
    .set({ failures: sql`greatest(failures - 1, 0)`, blocked_until: null })
    .where('bucket', 'in', buckets)
    .execute()
}

export interface StoredState {
  payload: Record<string, unknown>
  consumedAt: Date | null
}

export async function saveState(
  db: SystemDb,
  state: { model: string; id: string; payload: Record<string, unknown>; expiresAt: Date | null },
): Promise<void> {
  const { payload } = state
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : null)
  const row = {
    payload: JSON.stringify(payload),
    account_id: text('accountId'),
    grant_id: text('grantId'),
    uid: text('uid'),
    expires_at: state.expiresAt,
  }
  await db
    .insertInto('identity_state')
    .values({ model: state.model, id: state.id, ...row })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row))
    .execute()
}

export async function findState(
  db: SystemDb,
  model: string,
  by: { id: string } | { uid: string },
  now: Date,
): Promise<StoredState | undefined> {
  const row = await db
    .selectFrom('identity_state')
    .select(['payload', 'consumed_at'])
    .where('model', '=', model)
    .$if('id' in by, (query) => query.where('id', '=', (by as { id: string }).id))
    .$if('uid' in by, (query) => query.where('uid', '=', (by as { uid: string }).uid))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return row && { payload: row.payload as Record<string, unknown>, consumedAt: row.consumed_at }
}

export async function consumeState(db: SystemDb, model: string, id: string, now: Date): Promise<void> {
  await db
    .updateTable('identity_state')
    .set({ consumed_at: now })
    .where('model', '=', model)
    .where('id', '=', id)
    .execute()
}

export async function dropState(db: SystemDb, model: string, id: string): Promise<void> {
  await db.deleteFrom('identity_state').where('model', '=', model).where('id', '=', id).execute()
}

export async function dropStateOfGrant(db: SystemDb, grantId: string): Promise<void> {
  await db.deleteFrom('identity_state').where('grant_id', '=', grantId).execute()
}

/** Ends all tokens issued to a user so far. The instant always increases, even if a clock is behind. Returns the user's id. */
export async function endTokensOf(
  db: SystemDb,
  user: { id: string } | { issuer: string; subject: string },
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('users')
    .set({ sessions_valid_from: sql`greatest(${now}::timestamptz, sessions_valid_from + interval '1 millisecond')` })
    .where((eb) => eb.and(user))
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ends all sessions of a user at the provider, except the one stored under this id. */
export async function dropSessionsOf(db: SystemDb, subject: string, exceptSession?: string): Promise<void> {
  await db
    .deleteFrom('identity_state')
    .where('account_id', '=', subject)
    .$if(exceptSession !== undefined, (query) =>
      query.where((eb) => eb.not(eb.and([eb('model', '=', 'Session'), eb('id', '=', exceptSession as string)]))),
    )
    .execute()
  await sql`delete from identity_sessions o using users u where u.id = o.user_id and u.issuer = ${embeddedIssuer}
    and u.subject = ${subject} and not exists (select 1 from identity_state s where s.model = 'Session' and s.uid = o.provider_uid)`.execute(
    db,
  )
}

/**
 * Deletes expired rows: provider state, sessions, links and attempts a day after their end, places after a quarter of a year. Returns the
 * number of deleted rows; the worker calls it regularly.
 */
export async function purgeExpiredIdentityState(db: SystemDb, now: Date): Promise<number> {
  const yesterday = new Date(now.getTime() - 86_400_000)
  const state = await db.deleteFrom('identity_state').where('expires_at', '<', now).executeTakeFirst()
  const links = await db.deleteFrom('identity_links').where('expires_at', '<', yesterday).executeTakeFirst()
  // A session's last token may outlive it.
  const sessions = await db
    .deleteFrom('identity_sessions')
    .where('last_used_at', '<', yesterday)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('identity_state')
            .select('id')
            .where('model', '=', 'Session')
            .whereRef('uid', '=', 'identity_sessions.provider_uid'),
        ),
      ),
    )
    .executeTakeFirst()
  const quarterAgo = new Date(now.getTime() - 90 * 86_400_000)
  const attempts = await db
    .deleteFrom('identity_attempts')
    .where('last_at', '<', yesterday)
    .where((eb) => eb.or([eb('bucket', 'not like', `${knownPlace}%`), eb('last_at', '<', quarterAgo)]))
    .executeTakeFirst()
  return [state, sessions, links, attempts].reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
}

/** The names of the merchants that a user is assigned to now, in their order. */
export async function merchantNamesOf(db: SystemDb, userId: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select m.name from user_merchants um join merchants m on m.id = um.merchant_id
    where um.user_id = ${userId} order by lower(m.name), m.id`.execute(db)
  return rows.map(({ name }) => name)
}
