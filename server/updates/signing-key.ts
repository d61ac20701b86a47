import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type pg from 'pg'
import type { Doors } from '#database/frame/tenant.ts'
import { type DeploymentKey, keysOf, storeKey } from '#database/updates/deployment-key.ts'
import { machinesWithOtherKey, noteUpdateKey } from '#database/updates/update-key.ts'
import { type Signed, signedText } from '#domain/updates/signed-text.ts'
import { deploymentKey, newDeploymentKey } from '../secrets/deployment-key.ts'
import type { Vault } from '../secrets/vault.ts'

const first = 'updates'

/** Keys are numbered in their order: `updates` is the first, then `updates 2`. */
const numberOf = ({ name }: Pick<DeploymentKey, 'name'>) => Number(name.split(' ')[1] ?? 1)

/** The key that machines get now, and the former ones, of which each machine may still have one. */
async function updateKeys(doors: Doors, vault: Vault): Promise<[current: DeploymentKey, ...former: DeploymentKey[]]> {
  const [current, ...former] = (await keysOf(doors, first)).sort((a, b) => numberOf(b) - numberOf(a))
  return current ? [current, ...former] : [await deploymentKey(doors, vault, first)]
}

/** The public key with which a machine verifies updates, as PEM. From now on its updates are signed with this key. */
export async function updatePublicKey(
  doors: Doors,
  vault: Vault,
  machine: { merchantId: string; id: string },
): Promise<string> {
  const [{ name, public_key }] = await updateKeys(doors, vault)
  await noteUpdateKey(doors, machine, name)
  return public_key
}

export type UpdateSigner = (signed: Signed, machine: { updateKey: string | null }) => string

/**
 * A function that signs updates with the key that their machine has; the result is base64. A machine whose key has ended gets a signature of the
 * current key, and refuses it until it fetches that key.
 */
export async function updateSigner(doors: Doors, vault: Vault): Promise<UpdateSigner> {
  const keys = await updateKeys(doors, vault)
  const opened = new Map<string, KeyObject>()
  return (signed, { updateKey }) => {
    const key = keys.find(({ name }) => name === (updateKey ?? first)) ?? keys[0]
    const privateKey = opened.get(key.name) ?? createPrivateKey(vault.open(key.sealed_private_key))
    opened.set(key.name, privateKey)
    return sign(null, Buffer.from(signedText(signed)), privateKey).toString('base64')
  }
}

/** Makes another key the current one. Returns how many machines have a former one. */
export async function replaceUpdateKey(doors: Doors, vault: Vault, now: Date): Promise<number> {
  const [current] = await updateKeys(doors, vault)
  const name = `${first} ${numberOf(current) + 1}`
  await storeKey(doors, newDeploymentKey(vault, name), now)
  return machinesWithOtherKey(doors, name, first)
}

/**
 * Drops the former keys, as the owner. While machines have one, nothing is dropped unless `isForced`: those machines refuse updates until they
 * fetch the key again. Returns how many keys were dropped, and how many machines have one of them.
 */
export async function dropFormerUpdateKeys(
  doors: Doors,
  vault: Vault,
  owner: pg.Client,
  isForced: boolean,
): Promise<{ dropped: number; machines: number }> {
  const [current, ...former] = await updateKeys(doors, vault)
  const machines = await machinesWithOtherKey(doors, current.name, first)
  if (machines > 0 && !isForced) return { dropped: 0, machines }
  const names = former.map(({ name }) => name)
  await owner.query('delete from deployment_keys where name = any($1)', [names])
  return { dropped: names.length, machines }
}
