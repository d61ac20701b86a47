import { generateKeyPairSync } from 'node:crypto'
import type { Doors } from '#database/frame/tenant.ts'
import { type DeploymentKey, findKey, storeKey } from '#database/updates/deployment-key.ts'
import type { Vault } from './vault.ts'

/** A new Ed25519 key, its private half sealed. */
export function newDeploymentKey(vault: Vault, name: string): DeploymentKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    name,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealed_private_key: vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
}

/** An Ed25519 key of the deployment, made when it is first needed. Of two processes that make one, the first wins. */
export async function deploymentKey(doors: Doors, vault: Vault, name: string) {
  const stored = await findKey(doors, name)
  if (stored) return stored
  return storeKey(doors, newDeploymentKey(vault, name), new Date())
}
