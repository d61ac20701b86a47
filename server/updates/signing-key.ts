import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Doors } from '#database/frame/tenant.ts'
import { findKey, storeKey } from '#database/updates/deployment-key.ts'
import { type Signed, signedText } from '#domain/updates/signed-text.ts'
import type { Vault } from '../secrets.ts'

const name = 'updates'

/** The deployment's key for updates, made when it is first needed. Of two processes that make one, the first wins. */
async function keyOf(doors: Doors, vault: Vault) {
  const found = await findKey(doors, name)
  if (found) return found
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const made = {
    name,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealed_private_key: vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
  return storeKey(doors, made, new Date())
}

/** The public key with which machines verify updates, as PEM. */
export const updatePublicKey = async (doors: Doors, vault: Vault): Promise<string> =>
  (await keyOf(doors, vault)).public_key

/** A function that signs updates; the result is base64. */
export async function updateSigner(doors: Doors, vault: Vault): Promise<(signed: Signed) => string> {
  const key = createPrivateKey(vault.open((await keyOf(doors, vault)).sealed_private_key))
  return (signed) => sign(null, Buffer.from(signedText(signed)), key).toString('base64')
}
