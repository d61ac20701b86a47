import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { ApiToken, type apiTokens, mostTokens, type TokenPermission } from '#contract/merchants/api-token.ts'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import {
  type ApiTokenRecord,
  apiTokenToEdit,
  countToAdd,
  directToken,
  forgetToken,
  insertApiToken,
  listApiTokens,
  type MadeToken,
  removeApiToken,
  writeRotation,
} from '#database/merchants/api-token.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { type ShownName, withShownNames } from '#server/http/redact-names.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { hintOf, newToken } from '#server/http/token-bearer.ts'
import { wireOf } from '#server/http/wire.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'

const present = (token: ShownName<ApiTokenRecord, 'created_by_name'>, now: Date): ApiToken =>
  wireOf(ApiToken, token, {
    permissions: token.permissions as TokenPermission[],
    scopes: token.scopes as TokenScope[] | null,
    createdBy: token.created_by_name,
    previousUntil: token.previous_until && token.previous_until > now ? toWire(token.previous_until) : null,
  })

/** For the log: nothing of the token itself. */
const logged = ({ name, permissions, scopes, expires_at }: ApiTokenRecord) => ({
  name,
  ...(scopes ? { scopes } : { permissions }),
  expiresAt: toWireOrNull(expires_at),
})

const record = (
  { db, user, now }: Pick<TenantCall, 'db' | 'user' | 'now'>,
  { merchant_id: merchantId, id: subjectId }: ApiTokenRecord,
  change: { action: string; before?: object; after?: object },
) => recordChange(db, { merchantId, at: now, user, subjectType: 'apiToken', subjectId, ...change })

/** Not awaited: a leftover row refers to a token that does not exist. */
const forget = (
  { doors, request }: Pick<TenantCall, 'doors' | 'request'>,
  token: ApiTokenRecord,
  but: string[],
): void =>
  void forgetToken(doors, token, but).catch((error: unknown) =>
    request.log.warn({ err: error }, 'The hashes of an ended token were not removed'),
  )

async function heldToken({ db, params }: { db: TenantCall['db']; params: { merchantId: string; tokenId: string } }) {
  refuseAll(params.merchantId)
  const token = await apiTokenToEdit(db, params.merchantId, params.tokenId)
  if (!token) throw new ProductError('ApiTokenNotFound')
  return token
}

/** Tokens of integrations. */
export const apiTokenHandlers: Handlers<typeof apiTokens> = {
  listApiTokens: async (call) => {
    const { db, params, now } = call
    refuseAll(params.merchantId)
    const tokens = await listApiTokens(db, params.merchantId)
    return (await withShownNames(call, tokens, 'created_by', 'created_by_name')).map((token) => present(token, now))
  },

  createApiToken: async (call) => {
    const { db, doors, params, body, user, now, live } = call
    const { merchantId } = params
    refuseAll(merchantId)
    const expiresAt = body.expiresAt === null ? null : fromWire(body.expiresAt)
    if (expiresAt && expiresAt <= now) refuseExpired()
    if ((await countToAdd(db, merchantId)) >= mostTokens) throw new ProductError('TooManyApiTokens')
    const token = newToken()
    const row: ApiTokenRecord = {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      name: body.name,
      hint: hintOf(token),
      token_hash: hashOfSecret(token),
      previous_hash: null,
      previous_until: null,
      permissions: [],
      scopes: body.scopes,
      created_at: now,
      created_by_name: user.name,
      rotated_at: null,
      expires_at: expiresAt,
      last_used_at: null,
      last_used_from: null,
      warned_at: null,
    }
    await insertApiToken(db, row)
    await record(call, row, { action: 'apiToken.create', after: logged(row) })
    // A separate transaction: a leftover entry of a token that was never created opens nothing.
    await directToken(doors, row)
    db.afterCommit(() => live.announce(merchantId, 'merchant'))
    return { token, details: present(row, now) }
  },

  rotateApiToken: async (call) => {
    const { db, doors, body, now, live } = call
    const before = await heldToken(call)
    const token = newToken()
    const isGraceful = body.graceHours > 0
    const row: MadeToken = {
      ...before,
      hint: hintOf(token),
      token_hash: hashOfSecret(token),
      previous_hash: isGraceful ? before.token_hash : null,
      previous_until: isGraceful ? new Date(now.getTime() + body.graceHours * 3_600_000) : null,
      rotated_at: now,
    }
    await writeRotation(db, row)
    await record(call, row, {
      action: 'apiToken.rotate',
      before: { name: before.name },
      after: { name: before.name, graceHours: body.graceHours },
    })
    await directToken(doors, row)
    db.afterCommit(() => {
      live.announce(row.merchant_id, 'merchant')
      forget(call, row, [row.token_hash, ...(row.previous_hash ? [row.previous_hash] : [])])
    })
    const [redacted = row] = await withShownNames(call, [row], 'created_by', 'created_by_name')
    return { token, details: present(redacted, now) }
  },

  revokeApiToken: async (call) => {
    const token = await heldToken(call)
    await removeApiToken(call.db, token)
    await record(call, token, { action: 'apiToken.revoke', before: logged(token) })
    call.db.afterCommit(() => {
      call.live.announce(token.merchant_id, 'merchant')
      forget(call, token, [])
    })
    return undefined
  },
}

function refuseExpired(): never {
  const fault = { path: 'expiresAt', code: 'custom', message: 'rule.instant', rule: 'rule.instant' }
  throw new ProductError('ValidationFailed', { errors: [fault] })
}
