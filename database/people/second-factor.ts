import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { SystemDb } from '../frame/tenant.ts'

export type FactorKind = 'app' | 'passkey'

/** A second factor, as its owner sees it. */
export interface Factor {
  id: string
  kind: FactorKind
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  /** The host that a passkey is bound to; null for an app. */
  host: string | null
}

/** A user's factors, the oldest first. */
export const factorsOf = (db: SystemDb, userId: string): Promise<Factor[]> =>
  db
    .selectFrom('identity_factors')
    .select(['id', 'kind', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'host'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .$castTo<Factor>()
    .execute()

export interface StoredApp {
  id: string
  name: string
  sealedSecret: string
}

export const appsOf = (db: SystemDb, userId: string): Promise<StoredApp[]> =>
  db
    .selectFrom('identity_factors')
    .select(['id', 'name', 'sealed_secret as sealedSecret'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'app')
    .orderBy('id')
    .$castTo<StoredApp>()
    .execute()

export async function insertApp(
  db: SystemDb,
  app: { userId: string; name: string; sealedSecret: string; step: number; now: Date },
): Promise<void> {
  await db
    .insertInto('identity_factors')
    .values({
      id: randomUUIDv7(),
      user_id: app.userId,
      kind: 'app',
      name: app.name,
      created_at: app.now,
      last_used_at: app.now,
      sealed_secret: app.sealedSecret,
      last_step: app.step,
    })
    .execute()
}

/** Uses the code of a time step. False when this step or a later one was used: of two concurrent uses one succeeds. */
export async function spendStep(db: SystemDb, appId: string, step: number, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('identity_factors')
    .set({ last_step: step, last_used_at: now })
    .where('id', '=', appId)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface StoredPasskey {
  id: string
  userId: string
  name: string
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  host: string
  counter: number
  transports: string[]
}

const passkeys = (db: SystemDb) =>
  db
    .selectFrom('identity_factors')
    .select([
      'id',
      'user_id as userId',
      'name',
      'credential_id as credentialId',
      'public_key as publicKey',
      'host',
      sql<number>`counter::float8`.as('counter'),
      sql<string[]>`coalesce(transports, '{}')`.as('transports'),
    ])
    .where('kind', '=', 'passkey')
    .$castTo<StoredPasskey>()

/** A user's passkeys for a host. */
export const passkeysOf = (db: SystemDb, userId: string, host: string): Promise<StoredPasskey[]> =>
  passkeys(db).where('user_id', '=', userId).where('host', '=', host).orderBy('id').execute()

export const passkeyByCredential = (db: SystemDb, credentialId: string): Promise<StoredPasskey | undefined> =>
  passkeys(db).where('credential_id', '=', credentialId).executeTakeFirst()

/** Stores a passkey. False when it is registered already. */
export async function insertPasskey(
  db: SystemDb,
  passkey: Omit<StoredPasskey, 'id'> & { now: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('identity_factors')
    .values({
      id: randomUUIDv7(),
      user_id: passkey.userId,
      kind: 'passkey',
      name: passkey.name,
      created_at: passkey.now,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      host: passkey.host,
      counter: passkey.counter,
      transports: passkey.transports,
    })
    .onConflict((conflict) => conflict.column('credential_id').where('credential_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function passkeyUsed(db: SystemDb, id: string, counter: number, now: Date): Promise<void> {
  await db.updateTable('identity_factors').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}

/** Renames a factor of a user. False for any other factor. */
export async function renameFactor(db: SystemDb, userId: string, id: string, name: string): Promise<boolean> {
  const row = await db
    .updateTable('identity_factors')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a factor of a user; undefined for any other factor. */
export const removeFactor = (
  db: SystemDb,
  userId: string,
  id: string,
): Promise<{ kind: string; name: string } | undefined> =>
  db
    .deleteFrom('identity_factors')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['kind', 'name'])
    .executeTakeFirst()

/** Removes all factors and recovery codes of a user. Returns the number of factors. */
export async function removeFactors(db: SystemDb, userId: string): Promise<number> {
  const removed = await db.deleteFrom('identity_factors').where('user_id', '=', userId).executeTakeFirst()
  await dropRecoveryCodes(db, userId)
  return Number(removed.numDeletedRows)
}

export async function dropRecoveryCodes(db: SystemDb, userId: string): Promise<void> {
  await db.deleteFrom('identity_recovery_codes').where('user_id', '=', userId).execute()
}

/** Replaces all recovery codes of a user. */
export async function saveRecoveryCodes(db: SystemDb, userId: string, hashes: readonly string[]): Promise<void> {
  await dropRecoveryCodes(db, userId)
  await db
    .insertInto('identity_recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/** Uses up a recovery code; of two concurrent uses one succeeds. */
export async function spendRecoveryCode(db: SystemDb, userId: string, hash: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('identity_recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** How many recovery codes a user has left. */
export async function recoveryCodesLeft(db: SystemDb, userId: string): Promise<number> {
  const row = await db
    .selectFrom('identity_recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Deletes a state of the provider's pages and returns it; of two concurrent uses one gets it. */
export async function takeState(
  db: SystemDb,
  model: string,
  id: string,
  now: Date,
): Promise<Record<string, unknown> | undefined> {
  const row = await db
    .deleteFrom('identity_state')
    .where('model', '=', model)
    .where('id', '=', id)
    .returning(['payload', 'expires_at'])
    .executeTakeFirst()
  const isOver = row?.expires_at && row.expires_at <= now
  return row && !isOver ? (row.payload as Record<string, unknown>) : undefined
}

/** Records what a user did to their own factors. */
export async function logFactor(db: SystemDb, userId: string, at: Date, type: string, reason: string): Promise<void> {
  await db.insertInto('session_log').values({ id: randomUUIDv7(), user_id: userId, at, type, reason }).execute()
}
