import { randomBytes } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { isOfAreas, tokenPrefix } from '#contract/merchants/api-token.ts'
import { scopeOfCall } from '#contract/merchants/token-scope.ts'
import { leastRole } from '#contract/vocabulary/roles.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { countAttempt, failuresOf } from '#database/machines/association-attempt.ts'
import { findBearer, noteUse, type TokenBearer } from '#database/merchants/api-token.ts'
import { siteOf } from '#domain/frame/network-site.ts'
import { hashOfSecret } from '../secrets/hash.ts'
import type { Caller } from './authentication.ts'
import { blinded, type Principal } from './scope.ts'

/** 256 random bits. */
export const newToken = () => `${tokenPrefix}${randomBytes(32).toString('base64url')}`
/** The start of a token, by which users recognize it. */
export const hintOf = (token: string) => token.slice(0, tokenPrefix.length + 6)

export const isApiToken = (bearer: string) => bearer.startsWith(tokenPrefix)
const written = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`)

const stretchMs = 15 * 60_000
/** Wrong tokens per address in an interval. Above it, the address is refused until the interval ends. */
const mostWrong = 60

/** Whence a secret is sent, and what counts the calls of its holder; it may throw TooManyRequests. */
export interface From {
  address: string
  now: Date
  count: (tokenId: string) => void
}

/**
 * Looks for the holder of a secret; undefined: there is none. Throws TooManyRequests after too many wrong secrets of a kind from one address within a
 * quarter of an hour.
 */
export async function refuseGuesses<Holder>(
  doors: Doors,
  kind: 'api token' | 'kiosk',
  { address, now }: Pick<From, 'address' | 'now'>,
  find: () => Promise<Holder | undefined>,
): Promise<Holder | undefined> {
  const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  const key = `${kind} from ${siteOf(address)}`
  if ((await failuresOf(doors, key, since)) >= mostWrong) throw new ProductError('TooManyRequests')
  const holder = await find()
  if (holder === undefined) await countAttempt(doors, [key], since)
  return holder
}

/**
 * The holder of an API token, whatever it may do. Throws Unauthorized, and TooManyRequests after too many wrong tokens from one
 * address; `count` may throw it for a token.
 */
export async function bearerOf(
  doors: Doors,
  token: string,
  { address, now, count }: From,
): Promise<{ bearer: TokenBearer; caller: Caller; user: Principal }> {
  const bearer = await refuseGuesses(doors, 'api token', { address, now }, async () =>
    written.test(token) ? findBearer(doors, hashOfSecret(token), now) : undefined,
  )
  if (!bearer) throw new ProductError('Unauthorized')
  count(bearer.tokenId)
  if (bearer.isNewUse) await noteUse(doors, bearer, address, now)
  return { bearer, caller: callerOf(bearer, now), user: userOf(bearer) }
}

/** Whether a token opens a call: by its scopes, or, as a token from before, by its areas. */
function opens({ scopes, permissions }: TokenBearer, name: string, row: AnyEndpoint): boolean {
  if (scopes) return scopes.some((scope) => scope === scopeOfCall(name))
  return isOfAreas(row) && permissions.some((permission) => permission === row.needs)
}

/**
 * The caller behind an API token, for a call of its scopes. Throws Unauthorized, Forbidden, and TooManyRequests after too many wrong tokens from
 * one address.
 */
export async function admitToken(
  doors: Doors,
  token: string,
  [name, row]: readonly [string, AnyEndpoint],
  from: From,
): Promise<{ caller: Caller; user: Principal }> {
  const { bearer, caller, user } = await bearerOf(doors, token, from)
  if (!opens(bearer, name, row)) throw new ProductError('Forbidden')
  return { caller, user }
}

/** The token as a principal: it sees one whole merchant, with the lowest role. */
const userOf = ({ merchantId, tokenId, name, isDemoOver, countsBlind }: TokenBearer): Principal => ({
  id: tokenId,
  version: 1,
  email: '',
  name: `API token ${name}`,
  role: leastRole,
  language: null,
  allowLicensing: false,
  scope: isDemoOver ? [] : [blinded({ merchantId, groups: 'all' }, leastRole, countsBlind ? [merchantId] : [])],
  closed: isDemoOver ? [{ merchantId, code: 'DemoExpired' }] : [],
})

const callerOf = ({ tokenId, expiresAt }: TokenBearer, now: Date): Caller => ({
  issuer: 'gettone:api-token',
  subject: tokenId,
  role: leastRole,
  expiresAt: expiresAt ?? now,
  validFrom: now,
  proof: { at: now, hasSecondFactor: false },
})
