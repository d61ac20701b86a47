import { createPrivateKey, createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import type pg from 'pg'
import type { Doors } from '#database/frame/tenant.ts'
import { deploymentKey } from '../secrets/deployment-key.ts'
import type { Vault } from '../secrets/vault.ts'

const name = 'licences'

/** For whom licences are signed: a token for another audience is no licence. */
export const licenceAudience = 'gettone-connector'

/** The public key that verifies licences, as a JWK. Its id is its thumbprint (RFC 7638). */
export async function licencePublicKey(doors: Doors, vault: Vault) {
  return jwkOf((await deploymentKey(doors, vault, name)).public_key)
}

async function jwkOf(publicKey: string) {
  const { x = '' } = createPublicKey(publicKey).export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' } as const
}

/**
 * Ends the key that signs licences, as the owner; the next licence gets another. Connectors refuse licences of the new key until its public half is
 * installed with them. Returns whether there was a key.
 */
export async function endLicenceKey(owner: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rowCount } = await owner.query('delete from deployment_keys where name = $1', [name])
  return rowCount === 1
}

export interface LicenceClaims {
  id: string
  issuer: string
  now: Date
  until: Date
  licence: Readonly<Record<string, unknown>>
}

/** A licence as a JWS in compact form, signed with the deployment's key. */
export async function signLicence(doors: Doors, vault: Vault, claims: LicenceClaims): Promise<string> {
  const { public_key, sealed_private_key } = await deploymentKey(doors, vault, name)
  const { kid } = await jwkOf(public_key)
  const key = createPrivateKey(vault.open(sealed_private_key))
  return new SignJWT({ licence: claims.licence })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
    .setIssuer(claims.issuer)
    .setAudience(licenceAudience)
    .setSubject(claims.id)
    .setIssuedAt(claims.now)
    .setNotBefore(claims.now)
    .setExpirationTime(claims.until)
    .sign(key)
}
