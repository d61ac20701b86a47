import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { claimNamed, roleFromClaim } from '#domain/people/role-claim.ts'
import { hasSecondFactor, type SignInProof } from '#domain/people/second-factor.ts'
import { sessionIdClaim, validFromClaim } from '#domain/people/session-claim.ts'

/** Only asymmetric signatures: with `none` or a shared secret, the public key would be enough to sign. */
export const safeAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** A provider whose tokens are trusted. */
export interface TrustedProvider {
  /** The `iss` of its tokens. */
  issuer: string
  /** Its name in `users.issuer`. */
  name: string
  keys: JWTVerifyGetKey
}

export interface TokenRules {
  providers: readonly TrustedProvider[]
  audience: string
  /** The token's `typ`: `at+jwt` (RFC 9068), `JWT` for Entra and Keycloak, `any` when the provider sends none. */
  tokenType: string
  algorithms: readonly string[]
  /** The tenant whose role counts in a `userRole` of tenant=role pairs. */
  tenant: string
  /** The claim with the role; `userRole` if left out. */
  roleClaim?: string
  /** What `scope` (or `scp`) must name: each of these words. */
  scopes?: readonly string[]
  /** Values of `acr` that stand for several factors; `amr` with `mfa` always does. */
  secondFactorClasses: readonly string[]
}

/** The caller according to the token. The database adds scope and status. */
export interface Caller {
  /** As in `users.issuer`. */
  issuer: string
  subject: string
  /** Null: the user has no role in this deployment. */
  role: Role | null
  expiresAt: Date
  /** The start of validity of the user's sessions when the token was issued. */
  validFrom: Date
  /** When and with how many factors the user has signed in. */
  proof: SignInProof
  /** The session at the embedded provider that the token was issued in. */
  sessionId?: string | undefined
}

export interface Authenticator {
  /**
   * Verifies a bearer token. Throws ProductError `Unauthorized`, `Forbidden` for a token without the scope, or `ServiceUnavailable` while the provider's keys are
   * unavailable.
   */
  authenticate(token: string): Promise<Caller>
}

const clockToleranceSeconds = 30
/** Maximum length. The longest known tokens are Entra's with groups. */
const longestToken = 16_384
/** Verified tokens are cached until they expire. */
const remembered = 5000

/** Verifies access tokens (RFC 9068, RFC 8725) with the configured providers. */
export function createAuthenticator(rules: TokenRules): Authenticator {
  const algorithms = rules.algorithms.filter((algorithm) => safeAlgorithms.includes(algorithm))
  if (algorithms.length === 0) throw new Error(`OIDC_ALGORITHMS must name one of ${safeAlgorithms.join(', ')}.`)
  const providers = new Map(rules.providers.map((provider) => [provider.issuer, provider]))
  const callers = new Map<string, Caller>()

  async function verified(token: string): Promise<Caller> {
    const provider = providers.get(issuerOf(token) ?? '')
    if (!provider) throw new ProductError('Unauthorized')
    const { payload } = await jwtVerify(token, provider.keys, {
      issuer: provider.issuer,
      audience: rules.audience,
      algorithms,
      typ: rules.tokenType === 'any' ? undefined : rules.tokenType,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceSeconds,
    }).catch((error: unknown) => {
      throw isRefusal(error) ? new ProductError('Unauthorized') : new ProductError('ServiceUnavailable')
    })
    if (isIdToken(payload) || !payload.sub || !payload.exp) throw new ProductError('Unauthorized')
    const scopes = scopesOf(payload)
    if (!(rules.scopes ?? []).every((scope) => scopes.includes(scope))) throw new ProductError('Forbidden')
    return {
      issuer: provider.name,
      subject: payload.sub,
      role: roleFromClaim(claimNamed(payload, rules.roleClaim ?? 'userRole'), rules.tenant),
      expiresAt: new Date(payload.exp * 1000),
      validFrom: validFromOf(payload),
      proof: {
        at: signedInAt(payload),
        hasSecondFactor: hasSecondFactor(beside(payload, rules.roleClaim), rules.secondFactorClasses),
      },
      sessionId: z.uuid().optional().catch(undefined).parse(payload[sessionIdClaim]),
    }
  }

  return {
    async authenticate(token) {
      if (token.length > longestToken) throw new ProductError('Unauthorized')
      const before = callers.get(token)
      if (before && before.expiresAt.getTime() > Date.now()) return before
      callers.delete(token)
      const caller = await verified(token)
      if (callers.size >= remembered) callers.delete(callers.keys().next().value as string)
      callers.set(token, caller)
      return caller
    },
  }
}

/**
 * The embedded provider gives the exact time. Other providers give the time of issue in whole seconds (RFC 7519): within
 * that second the token counts as newer, so that a running session is not refused. Without either, the token has no
 * session.
 */
function validFromOf({ [validFromClaim]: exact, iat }: JWTPayload): Date {
  if (typeof exact === 'number') return new Date(exact)
  return new Date(iat === undefined ? 0 : iat * 1000 + 999)
}

/** `amr` and `acr`, which a provider that adds claims in a namespace alone (Auth0) has beside the role claim. */
function beside(payload: JWTPayload, roleClaim = ''): { amr?: unknown; acr?: unknown } {
  const space = roleClaim.slice(0, roleClaim.lastIndexOf('/') + 1)
  return { amr: payload.amr ?? payload[`${space}amr`], acr: payload.acr ?? payload[`${space}acr`] }
}

/** As RFC 9068 writes scopes, or as Entra and Okta do. */
const scopesOf = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []))

/** When the user has signed in: providers that do not say it give only the token's time. */
const signedInAt = ({ auth_time: at, iat }: JWTPayload) => new Date((typeof at === 'number' ? at : (iat ?? 0)) * 1000)

/** The provider that a token claims to be from; not verified yet. */
function issuerOf(token: string): string | undefined {
  const [, body] = token.split('.')
  try {
    const claims: unknown = JSON.parse(Buffer.from(body ?? '', 'base64url').toString('utf8'))
    return z.object({ iss: z.string() }).safeParse(claims).data?.iss
  } catch {
    return undefined
  }
}

/** The token is invalid. Other errors mean that it could not be checked. */
const isRefusal = (error: unknown) =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'

/** An ID token identifies the user to the portal and gives no access. If its type does not show that, its claims do. */
const isIdToken = (payload: JWTPayload) =>
  payload.typ === 'ID' || 'nonce' in payload || 'at_hash' in payload || 'c_hash' in payload

/** The embedded provider at each of its addresses. Its keys are in memory, so nothing is fetched. */
export const embeddedProviders = (
  publicOrigins: readonly string[],
  name: string,
  keys: JWTVerifyGetKey,
): TrustedProvider[] => publicOrigins.map((origin) => ({ issuer: `${origin}/identity`, name, keys }))

/** Milliseconds between two fetches of keys. */
const cooldownDuration = 5_000

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() })

/**
 * Any OpenID provider, by its discovery document, which is fetched with the first token and cached. Its keys are fetched
 * again when a token names a new key, at most every 5 seconds: a token may name any key.
 */
export function externalProvider(issuer: string): TrustedProvider {
  let keys: Promise<JWTVerifyGetKey> | undefined
  const discover = async () => {
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(10_000),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`The identity provider answered ${response.status} to discovery`)
    const discovery = Discovery.parse(await response.json())
    if (discovery.issuer !== issuer)
      throw new Error(`The identity provider reports issuer ${discovery.issuer}, expected ${issuer}`)
    return createRemoteJWKSet(new URL(discovery.jwks_uri), { timeoutDuration: 10_000, cooldownDuration })
  }
  return {
    issuer,
    name: issuer,
    keys: async (header, token) => {
      keys ??= discover()
      try {
        return await (await keys)(header, token)
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) keys = undefined
        throw error
      }
    },
  }
}
