import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Doors } from '#database/frame/tenant.ts'
import { type KeyUse, keepKey, sealedKey } from '#database/people/identity.ts'
import type { Vault } from '../secrets/vault.ts'

/** Signs ID tokens and access tokens: small, and fast to verify. */
export const signingAlgorithm = 'ES256'

export interface IdentityKeys {
  /** The private key, as a JWK with `kid`, `alg` and `use`. */
  signing: JWK
  /** The public half of the same key. */
  verifying: JWK
  /** Signs the provider's cookies. */
  cookie: string
}

const makeSigning = async () => {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ ...jwk, kid: randomBytes(8).toString('hex'), alg: signingAlgorithm, use: 'sig' })
}
const makeCookie = async () => randomBytes(32).toString('base64url')

/** The deployment's keys, created by the first process that needs them. Throws when SECRET_KEY does not decrypt them. */
export async function identityKeys(doors: Pick<Doors, 'withSystem'>, vault: Vault): Promise<IdentityKeys> {
  const keyOf = async (use: KeyUse, make: () => Promise<string>) => {
    const sealed =
      (await doors.withSystem('identity', (db) => sealedKey(db, use))) ?? (await keep(use, vault.seal(await make())))
    try {
      return vault.open(sealed)
    } catch {
      throw new Error('SECRET_KEY does not match this database: the identity keys cannot be read.')
    }
  }
  const keep = (use: KeyUse, sealed: string) =>
    doors.withSystem('identity', (db) => keepKey(db, use, sealed, new Date()))

  const signing = JSON.parse(await keyOf('sign', makeSigning)) as JWK
  const { d: _, ...verifying } = signing
  return { signing, verifying, cookie: await keyOf('cookie', makeCookie) }
}
