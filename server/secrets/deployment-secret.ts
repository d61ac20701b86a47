import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import {
  addSealedSecret,
  anySealedText,
  dropOtherSecrets,
  roleGeneration,
  sealedSecrets,
} from '#database/deployment/secret.ts'
import { type Config, ConfigError } from '../config.ts'
import { createVault } from './vault.ts'

type Owner = Pick<pg.ClientBase, 'query'>

/** Tells one SECRET_KEY from another, and nothing about it. */
const fingerprintOf = (masterKey: string): string =>
  createHmac('sha256', masterKey).update('deployment secret').digest('base64url').slice(0, 16)

const vaultOf = (masterKey: string) => createVault(masterKey, 'deployment secret')

/** The password of the two roles, which no one types: it follows from the deployment's secret. */
export const rolePasswordOf = (secretKey: string, generation: number): string =>
  createHmac('sha256', secretKey)
    .update(generation === 0 ? 'database roles' : `database roles ${generation}`)
    .digest('base64url')

const mismatch = new ConfigError([
  'SECRET_KEY does not open this database: set the key of this deployment. If it was replaced, the former key no longer counts.',
])

/**
 * The deployment's secret, from which all others follow. SECRET_KEY only opens it, so that the key can be replaced while processes run. A new deployment gets
 * a random one; one of the first version keeps its SECRET_KEY as secret. Call it as the owner, under the lock of migrations. Throws a ConfigError for a key
 * that does not open it.
 */
export async function deploymentSecret(owner: Owner, masterKey: string): Promise<string> {
  const fingerprint = fingerprintOf(masterKey)
  const stored = await sealedSecrets(owner)
  const own = stored.find((secret) => secret.fingerprint === fingerprint)
  if (own) return vaultOf(masterKey).open(own.sealed)
  if (stored.length > 0) throw mismatch
  const sealedText = await anySealedText(owner)
  if (sealedText !== undefined && !opens(masterKey, sealedText)) throw mismatch
  const secret = sealedText === undefined ? randomBytes(32).toString('base64url') : masterKey
  await addSealedSecret(owner, { fingerprint, sealed: vaultOf(masterKey).seal(secret) })
  return secret
}

/** A config whose secrets are those of the database. */
export async function withDeploymentSecret(owner: Owner, config: Config): Promise<Config> {
  const secretKey = await deploymentSecret(owner, config.masterKey)
  return { ...config, secretKey, rolePassword: rolePasswordOf(secretKey, await roleGeneration(owner)) }
}

/** Lets a second SECRET_KEY open the deployment's secret, beside the first. Returns its fingerprint. */
export async function addMasterKey(owner: Owner, masterKey: string, nextKey: string): Promise<string> {
  const secret = await deploymentSecret(owner, masterKey)
  const fingerprint = fingerprintOf(nextKey)
  await addSealedSecret(owner, { fingerprint, sealed: vaultOf(nextKey).seal(secret) })
  return fingerprint
}

/** From here on only this SECRET_KEY opens the deployment's secret. Returns how many others did before. */
export async function keepMasterKeyOnly(owner: Owner, masterKey: string): Promise<number> {
  await deploymentSecret(owner, masterKey)
  return dropOtherSecrets(owner, fingerprintOf(masterKey))
}

function opens(key: string, sealed: string): boolean {
  try {
    createVault(key).open(sealed)
    return true
  } catch {
    return false
  }
}
