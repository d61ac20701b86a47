import type { CommandOrder } from '#contract/commands/remote-command.ts'
import { ProductError } from '#contract/errors.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import { kindOfDatabase, kindOfFirmware, updateCommands } from '#contract/vocabulary/update.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { cashDatabaseList } from '#database/updates/cash-database.ts'
import { type FirmwareRecord, findFirmware } from '#database/updates/firmware.ts'
import type { Release } from './update-order.ts'

type Filed = Pick<FirmwareRecord, 'file_id' | 'file_bytes' | 'file_sha256' | 'release' | 'device_types' | 'peripheral'>

/** The part of a release that firmware and databases have in common; throws without a file. */
function commonOf({ file_id, file_bytes, file_sha256, release, device_types, peripheral }: Filed) {
  if (file_id === null) throw new ProductError('UpdateFileMissing')
  return {
    version: release,
    deviceTypes: device_types,
    peripheral: peripheral as Peripheral | null,
    file: { id: file_id, bytes: file_bytes ?? 0, sha256: file_sha256 ?? '' },
  }
}

export async function releaseOfFirmware(doors: Doors, firmwareId: string): Promise<Release> {
  const firmware = await findFirmware(doors, firmwareId)
  if (!firmware) throw new ProductError('FirmwareNotFound')
  const common = commonOf(firmware)
  return { ...common, kind: kindOfFirmware(common.peripheral), merchantId: null, currency: null }
}

export async function releaseOfDatabase(db: TenantDb, cashDatabaseId: string): Promise<Release> {
  const cashDatabase = await cashDatabaseList.find(db, cashDatabaseId)
  if (!cashDatabase) throw new ProductError('CashDatabaseNotFound')
  const common = commonOf(cashDatabase)
  return {
    ...common,
    kind: kindOfDatabase(common.peripheral),
    merchantId: cashDatabase.merchant_id,
    currency: cashDatabase.currency,
  }
}

/** The release that an order names; null for orders that are no update. Throws when it is of another kind than the command. */
export async function releaseOfOrder(db: TenantDb, doors: Doors, order: CommandOrder): Promise<Release | null> {
  const { parameters } = order
  const release =
    'firmwareId' in parameters
      ? await releaseOfFirmware(doors, parameters.firmwareId)
      : 'cashDatabaseId' in parameters
        ? await releaseOfDatabase(db, parameters.cashDatabaseId)
        : null
  if (release && updateCommands[release.kind] !== order.type) {
    const field = release.merchantId === null ? 'firmwareId' : 'cashDatabaseId'
    throw new ProductError('ValidationFailed', {
      errors: [{ path: `order.parameters.${field}`, code: 'custom', message: '', rule: 'rule.choice' }],
    })
  }
  return release
}

/** What a rule takes over of its firmware or database. The file may be uploaded later. */
export interface RuleRelease {
  version: string
  peripheral: Peripheral | null
  deviceTypes: readonly string[]
  currency: string | null
}

const ruleReleaseOf = (
  firmware: Pick<Filed, 'release' | 'device_types' | 'peripheral'>,
  currency: string | null,
): RuleRelease => ({
  version: firmware.release,
  peripheral: firmware.peripheral as Peripheral | null,
  deviceTypes: firmware.device_types,
  // Only the machine's own database is of a currency.
  currency: firmware.peripheral === null ? currency : null,
})

export async function firmwareOfRule(doors: Doors, firmwareId: string): Promise<RuleRelease> {
  const firmware = await findFirmware(doors, firmwareId)
  if (!firmware) throw new ProductError('FirmwareNotFound')
  return ruleReleaseOf(firmware, null)
}

export async function databaseOfRule(db: TenantDb, cashDatabaseId: string): Promise<RuleRelease> {
  const cashDatabase = await cashDatabaseList.find(db, cashDatabaseId)
  if (!cashDatabase) throw new ProductError('CashDatabaseNotFound')
  return ruleReleaseOf(cashDatabase, cashDatabase.currency)
}
