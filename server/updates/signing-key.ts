import { createPrivateKey, sign } from 'node:crypto'
import type { Doors } from '#database/frame/tenant.ts'
import { type Signed, signedText } from '#domain/updates/signed-text.ts'
import { deploymentKey } from '../secrets/deployment-key.ts'
import type { Vault } from '../secrets/vault.ts'

const name = 'updates'

/** The public key with which machines verify updates, as PEM. */
export const updatePublicKey = async (doors: Doors, vault: Vault): Promise<string> =>
  (await deploymentKey(doors, vault, name)).public_key

/** A function that signs updates; the result is base64. */
export async function updateSigner(doors: Doors, vault: Vault): Promise<(signed: Signed) => string> {
  const key = createPrivateKey(vault.open((await deploymentKey(doors, vault, name)).sealed_private_key))
  return (signed) => sign(null, Buffer.from(signedText(signed)), key).toString('base64')
}
