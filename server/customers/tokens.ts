import { errors, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { endCustomerClaim } from '#contract/vocabulary/roles.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { openKeyring, signingAlgorithm } from '../identity/keys.ts'
import type { Vault } from '../secrets/vault.ts'

/** Of its own, so that a customer's token is never a user's, and the other way round. */
const issuer = 'urn:gettone:customers'
const audience = 'urn:gettone:customers'
export const accessSeconds = 600

const Claims = z.object({ sub: z.uuid(), merchantId: z.uuid(), sid: z.uuid(), userRole: z.literal(endCustomerClaim) })

/** Whom a token is of. Sessions are looked up at each request. */
export interface CustomerToken {
  merchantId: string
  customerId: string
  sessionId: string
}

export interface CustomerTokens {
  sign(token: CustomerToken): Promise<string>
  /** Throws Unauthorized. */
  verify(token: string): Promise<CustomerToken>
}

/** Access tokens of customers, signed with the deployment's key. */
export function openCustomerTokens(doors: Pick<Doors, 'withSystem'>, vault: Vault): CustomerTokens {
  const keyring = openKeyring(doors, vault)
  return {
    async sign({ merchantId, customerId, sessionId }) {
      const [key] = (await keyring.current()).signing
      return new SignJWT({ merchantId, sid: sessionId, userRole: endCustomerClaim })
        .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid: key.kid as string })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(customerId)
        .setIssuedAt()
        .setExpirationTime(`${accessSeconds}s`)
        .sign(await importJWK(key, signingAlgorithm))
    },
    async verify(token) {
      const payload = await jwtVerify(token, keyring.verifyingKey, {
        issuer,
        audience,
        algorithms: [signingAlgorithm],
        typ: 'at+jwt',
        requiredClaims: ['exp', 'sub'],
      }).then(
        (verified): JWTPayload => verified.payload,
        (error: unknown) => {
          throw error instanceof errors.JOSEError ? new ProductError('Unauthorized') : error
        },
      )
      const claims = Claims.safeParse(payload)
      if (!claims.success) throw new ProductError('Unauthorized')
      const { sub, merchantId, sid } = claims.data
      return { customerId: sub, merchantId, sessionId: sid }
    },
  }
}

/** Whether a bearer token claims to be a customer's; not verified yet. */
export function isCustomerToken(token: string): boolean {
  try {
    const body: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return z.object({ iss: z.literal(issuer) }).safeParse(body).success
  } catch {
    return false
  }
}
