import { ProductError } from '#contract/errors.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { databaseOfRelease } from '#database/updates/cash-database.ts'
import { firmwareOfRelease } from '#database/updates/firmware.ts'
import type { RolloutRecord } from '#database/updates/rollout.ts'
import { doesDowngrade, type ReleaseOf } from '#database/updates/rollout-start.ts'
import { isOfType } from '#domain/updates/release-fit.ts'
import type { Vault } from '../secrets/vault.ts'
import { releaseOfDatabase, releaseOfFirmware } from './find-release.ts'
import { updateSigner } from './signing-key.ts'
import { type Release, updateParameters } from './update-order.ts'

/** The firmware or database of a version for a device type; null if it is not registered or has no file. */
async function releaseFor(
  db: TenantDb,
  doors: Doors,
  { rollout, release, deviceType }: { rollout: RolloutRecord; release: string; deviceType: string },
): Promise<Release | null> {
  const { kind, peripheral, merchantId, updateId } = rollout
  const target = { release, deviceType, peripheral }
  const isNew = release === rollout.release
  try {
    if (kind === 'firmware') {
      const id = isNew ? updateId : await firmwareOfRelease(doors, target)
      return id === undefined ? null : await releaseOfFirmware(doors, id)
    }
    const id = isNew ? updateId : await databaseOfRelease(db, { merchantId, ...target })
    return id === undefined ? null : await releaseOfDatabase(db, id)
  } catch (error) {
    // Deleted, or without a file: its machines stay on hold.
    if (error instanceof ProductError) return null
    throw error
  }
}

/** Finds and signs what rollouts send. The key is read once, when the first machine starts. */
export function rolloutReleases({
  doors,
  vault,
  config,
}: {
  doors: Doors
  vault: Vault
  config: { publicUrl: string }
}): ReleaseOf {
  let signer: ReturnType<typeof updateSigner> | undefined
  return async (db, target) => {
    const release = await releaseFor(db, doors, target)
    if (!release) return null
    // A version may have been declared for other types since the rule was created.
    if (!isOfType(release, target.deviceType)) return 'wrongDeviceType'
    signer ??= updateSigner(doors, vault)
    const sign = await signer
    const order = { sign, publicUrl: config.publicUrl, allowDowngrade: doesDowngrade(target.rollout) }
    return (machine, window) => updateParameters(release, machine, window, order)
  }
}
