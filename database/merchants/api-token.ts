import { type Selectable, sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { type TokenPermission, tokenWarningDays } from '#contract/merchants/api-token.ts'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import { constraintOf } from '../frame/constraint.ts'
import { lastlyBy } from '../frame/redacted-name.ts'
import type { ApiTokens } from '../frame/schema.gen.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { noteToAdmins } from '../platform/staff-letter.ts'

/** The row of a token. */
export type ApiTokenRecord = Selectable<ApiTokens>

const subject = { merchantId: sql`api_tokens.merchant_id`, subjectId: sql`api_tokens.id` }
const maker = (db: TenantDb) => lastlyBy(db, 'apiToken.create', 'apiToken', subject).as('created_by')

/** A token with the id of its creator. */
export type MadeToken = ApiTokenRecord & { created_by: string | null }

export const listApiTokens = (db: TenantDb, merchantId: string): Promise<MadeToken[]> =>
  db
    .from('api_tokens')
    .where('api_tokens.merchant_id', '=', merchantId)
    .selectAll('api_tokens')
    .select(maker(db))
    .orderBy((order) => order.fn('lower', ['api_tokens.name']))
    .orderBy('api_tokens.id')
    .execute()

/** Counts a merchant's tokens and locks out other creations until the transaction ends. */
export async function countToAdd(db: TenantDb, merchantId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('gettone.api-tokens'), hashtext(${merchantId}))`.execute(db.query)
  return (await listApiTokens(db, merchantId)).length
}

/** One token, locked until the transaction ends. */
export const apiTokenToEdit = (db: TenantDb, merchantId: string, id: string): Promise<MadeToken | undefined> =>
  db
    .from('api_tokens')
    .where('api_tokens.merchant_id', '=', merchantId)
    .where('api_tokens.id', '=', id)
    .selectAll('api_tokens')
    .select(maker(db))
    .forUpdate('api_tokens')
    .executeTakeFirst()

/** Throws ApiTokenNameTaken. */
export const insertApiToken = (db: TenantDb, token: ApiTokenRecord) =>
  db.query
    .insertInto('api_tokens')
    .values(token)
    .execute()
    .catch((error: unknown) => {
      if (constraintOf(error) === 'api_tokens_merchant_id_name_key') throw new ProductError('ApiTokenNameTaken')
      throw error
    })

export const writeRotation = (db: TenantDb, token: ApiTokenRecord) =>
  db.query
    .updateTable('api_tokens')
    .set({
      hint: token.hint,
      token_hash: token.token_hash,
      previous_hash: token.previous_hash,
      previous_until: token.previous_until,
      rotated_at: token.rotated_at,
    })
    .where(db.narrow('api_tokens'))
    .where('merchant_id', '=', token.merchant_id)
    .where('id', '=', token.id)
    .execute()

export const removeApiToken = (db: TenantDb, { merchant_id, id }: ApiTokenRecord) =>
  db.query
    .deleteFrom('api_tokens')
    .where(db.narrow('api_tokens'))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()

/** Adds a hash of a token to the directory. */
export const directToken = (doors: Doors, token: ApiTokenRecord): Promise<void> =>
  doors.withSystem(
    'api tokens',
    async (db) => {
      const row = { token_hash: token.token_hash, merchant_id: token.merchant_id, token_id: token.id }
      await db.insertInto('api_token_directory').values(row).execute()
    },
    'single statement',
  )

/** Removes a token's hashes from the directory, except these. */
export const forgetToken = (
  doors: Doors,
  { merchant_id, id }: Pick<ApiTokenRecord, 'merchant_id' | 'id'>,
  but: readonly string[],
): Promise<void> =>
  doors.withSystem(
    'api tokens',
    async (db) => {
      await sql`delete from api_token_directory where merchant_id = ${merchant_id} and token_id = ${id}
        and token_hash <> all(${but}::text[])`.execute(db)
    },
    'single statement',
  )

/** The holder of a token. */
export interface TokenBearer {
  merchantId: string
  tokenId: string
  name: string
  permissions: TokenPermission[]
  /** Null: its permissions count. */
  scopes: TokenScope[] | null
  expiresAt: Date | null
  /** Whether the merchant's demo has expired. */
  isDemoOver: boolean
  countsBlind: boolean
  /** Whether its last use is to be stored. */
  isNewUse: boolean
}

/** The holder of the token with this hash, if the token is valid; in one statement, since the tenant is unknown before. */
export const findBearer = (doors: Doors, hash: string, now: Date): Promise<TokenBearer | undefined> =>
  doors.withSystem(
    'api tokens',
    async (db) => {
      const { rows } = await sql<TokenBearer>`
        select t.merchant_id as "merchantId", t.id as "tokenId", t.name, t.permissions, t.scopes, t.expires_at as "expiresAt",
          (t.last_used_at is null or t.last_used_at <= ${now}::timestamptz - interval '1 minute') as "isNewUse",
          demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) as "isDemoOver", m.counts_blind as "countsBlind"
        from api_token_directory d
        join api_tokens t on t.merchant_id = d.merchant_id and t.id = d.token_id
        join merchants m on m.id = t.merchant_id
        where d.token_hash = ${hash} and (t.expires_at is null or t.expires_at > ${now})
          and (t.token_hash = ${hash} or (t.previous_hash = ${hash} and t.previous_until > ${now}))`.execute(db)
      return rows[0]
    },
    'single statement',
  )

/** Stores the time and address of a token's use, at most once a minute. */
export const noteUse = (doors: Doors, { merchantId, tokenId }: TokenBearer, from: string, now: Date): Promise<void> =>
  doors.withSystem(
    'api tokens',
    async (db) => {
      await sql`update api_tokens set last_used_at = ${now}, last_used_from = ${from}
        where merchant_id = ${merchantId} and id = ${tokenId}
          and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')`.execute(db)
    },
    'single statement',
  )

/** Notes letters to the admins of merchants whose tokens end soon, once for each token. Returns their number. */
export const warnOfEnds = (doors: Doors, now: Date): Promise<number> =>
  doors.withSystem('api tokens', async (db) => {
    const { rows } = await sql<{
      merchantId: string
      id: string
      name: string
      merchant: string
      end: Date
      zone: string
    }>`
      select t.merchant_id as "merchantId", t.id, t.name, m.name as merchant, t.expires_at as "end", m.time_zone as zone
      from api_tokens t join merchants m on m.id = t.merchant_id
      where t.expires_at > ${now} and t.expires_at <= ${new Date(now.getTime() + tokenWarningDays * 86_400_000)}
        and t.warned_at is null`.execute(db)
    for (const { merchantId, id, end, ...facts } of rows) {
      await noteToAdmins(db, {
        kind: 'tokenEnds',
        about: id,
        merchantId,
        facts: { ...facts, end: end.toISOString() },
        at: now,
      })
      await sql`update api_tokens set warned_at = ${now} where merchant_id = ${merchantId} and id = ${id}`.execute(db)
    }
    return rows.length
  })
