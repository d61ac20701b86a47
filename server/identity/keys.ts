import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, errors, exportJWK, generateKeyPair, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Doors } from '#database/frame/tenant.ts'
import {
  dropFormerKeys,
  formerKeys,
  type KeyUse,
  keepKey,
  replaceKeys,
  sealedKey,
} from '#database/people/identity-keys.ts'
import type { Vault } from '../secrets/vault.ts'

/** Signs ID tokens and access tokens: small, and fast to verify. */
export const signingAlgorithm = 'ES256'

export interface IdentityKeys {
  /** Private keys, as JWKs with `kid`, `alg` and `use`. The first one signs; what the replaced ones have signed is accepted. */
  signing: readonly [JWK, ...JWK[]]
  /** Sign the provider's cookies, in the same order. */
  cookies: readonly [string, ...string[]]
}

/** The keys as they are now, also after they were replaced while this process runs. */
export interface Keyring {
  current(): Promise<IdentityKeys>
  /** The public key of a token's `kid`. */
  verifyingKey: JWTVerifyGetKey
}

type SystemDoor = Pick<Doors, 'withSystem'>

const makeSigning = async () => {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ ...jwk, kid: randomBytes(8).toString('hex'), alg: signingAlgorithm, use: 'sig' })
}
const makeCookie = async () => randomBytes(32).toString('base64url')
const makers = { sign: makeSigning, cookie: makeCookie } as const satisfies Record<KeyUse, () => Promise<string>>

/** The deployment's keys, created by the first process that needs them. Throws when the deployment's secret does not decrypt them. */
export async function identityKeys(doors: SystemDoor, vault: Vault): Promise<IdentityKeys> {
  const keysOf = async (use: KeyUse): Promise<[string, ...string[]]> => {
    const { current, former } = await doors.withSystem('identity', async (db) => ({
      current: await sealedKey(db, use),
      former: await formerKeys(db, use),
    }))
    const first = current ?? (await keep(use, vault.seal(await makers[use]())))
    try {
      return [vault.open(first), ...former.map(vault.open)]
    } catch {
      throw new Error('SECRET_KEY does not match this database: the identity keys cannot be read.')
    }
  }
  const keep = (use: KeyUse, sealed: string) =>
    doors.withSystem('identity', (db) => keepKey(db, use, sealed, new Date()))

  const [first, ...former] = (await keysOf('sign')).map((text) => JSON.parse(text) as JWK)
  return { signing: [first as JWK, ...former], cookies: await keysOf('cookie') }
}

/** Gives the provider new keys; the former ones stay accepted. Cookies and tokens hold. */
export async function replaceIdentityKeys(doors: SystemDoor, vault: Vault, now: Date): Promise<void> {
  await identityKeys(doors, vault)
  const sealed = { sign: vault.seal(await makeSigning()), cookie: vault.seal(await makeCookie()) }
  await doors.withSystem('identity', (db) => replaceKeys(db, sealed, now))
}

/** What the former keys signed is refused within a minute. Returns how many keys were dropped. */
export const dropFormerIdentityKeys = (doors: SystemDoor): Promise<number> =>
  doors.withSystem('identity', dropFormerKeys)

const freshMillis = 60_000
/** A token may name any key: so often at most it makes this process read the keys. */
const rereadMillis = 5_000

/** Reads the keys again each minute, and when a token names a key that another process has made since. */
export function openKeyring(doors: SystemDoor, vault: Vault): Keyring {
  let reading: Promise<IdentityKeys> | undefined
  let readAt = 0
  /** A set imports each key once. */
  const sets = new WeakMap<IdentityKeys, JWTVerifyGetKey>()

  function publicKeysOf(keys: IdentityKeys): JWTVerifyGetKey {
    const set = sets.get(keys) ?? createLocalJWKSet({ keys: keys.signing.map(({ d: _, ...key }) => key) })
    sets.set(keys, set)
    return set
  }

  function keysSince(oldestMillis: number): Promise<IdentityKeys> {
    if (reading && Date.now() - readAt < oldestMillis) return reading
    readAt = Date.now()
    const next = identityKeys(doors, vault)
    reading = next
    next.catch(() => {
      if (reading === next) reading = undefined
    })
    return next
  }

  return {
    current: () => keysSince(freshMillis),
    async verifyingKey(header, token) {
      try {
        return await publicKeysOf(await keysSince(freshMillis))(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return publicKeysOf(await keysSince(rereadMillis))(header, token)
      }
    },
  }
}
