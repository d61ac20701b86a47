import type { UpdateKind } from '#contract/vocabulary/update.ts'

/** What decides which machines a firmware or database is for. */
export interface FittingRelease {
  kind: UpdateKind
  deviceTypes: readonly string[]
  /** Databases belong to one merchant and currency; firmware belongs to none. */
  merchantId: string | null
  currency: string | null
}

export interface FittedMachine {
  merchantId: string
  deviceType: string
  currency: string
}

/** Whether a version is for a device type. Rules, rollouts and remote commands refuse all others. */
export const isOfType = ({ deviceTypes }: Pick<FittingRelease, 'deviceTypes'>, deviceType: string): boolean =>
  deviceTypes.includes(deviceType)

/** Whether a machine can install a release: its type, its merchant, and, for its own cash database, its currency. */
export const isFor = (release: FittingRelease, machine: FittedMachine): boolean =>
  isOfType(release, machine.deviceType) &&
  (release.merchantId === null || release.merchantId === machine.merchantId) &&
  (release.kind !== 'cashDatabase' || release.currency === machine.currency)
