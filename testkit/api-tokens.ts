import { randomUUIDv7 } from 'node:crypto'
import { type TokenPermission, tokenPermissions } from '#contract/merchants/api-token.ts'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import { hintOf, newToken } from '#server/http/token-bearer.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'
import type { TestDatabase } from './database.ts'

/** A merchant's token from before there were scopes, with all areas by default. */
export async function anApiToken(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  permissions: readonly TokenPermission[] = tokenPermissions,
): Promise<{ id: string; token: string }> {
  return storedToken(database, merchantId, { permissions, scopes: null })
}

/** A merchant's token with these scopes. */
export const aScopedToken = (
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  scopes: readonly TokenScope[],
): Promise<{ id: string; token: string }> => storedToken(database, merchantId, { permissions: [], scopes })

async function storedToken(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  { permissions, scopes }: { permissions: readonly TokenPermission[]; scopes: readonly TokenScope[] | null },
): Promise<{ id: string; token: string }> {
  const id = randomUUIDv7()
  const token = newToken()
  await database.admin(
    `insert into api_tokens (merchant_id, id, name, hint, token_hash, permissions, scopes, created_at, created_by_name)
     values ($1, $2, $3, $4, $5, $6, $7, now(), 'Test')`,
    [merchantId, id, `Token ${id}`, hintOf(token), hashOfSecret(token), permissions, scopes],
  )
  await database.admin('insert into api_token_directory (token_hash, merchant_id, token_id) values ($1, $2, $3)', [
    hashOfSecret(token),
    merchantId,
    id,
  ])
  return { id, token }
}
