import { ProductError } from '#contract/errors.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { wholeOf } from '#database/key-portal/customer-account.ts'
import { placeOfCode, publicMachine } from '#database/key-portal/machine-place.ts'
import type { NetworkLimit } from '#server/network/network-limit.ts'

/** The page of the key portal about the machine with a QR code; undefined if its merchant shows none, and for a network that has tried too many. */
export const publicPages =
  (doors: Doors, limit: NetworkLimit) =>
  async (code: string, address: string): Promise<string | undefined> => {
    const isLimited = await limit('machinePage', address, new Date()).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ProductError) return true
        throw error
      },
    )
    if (isLimited) return undefined
    const place = await placeOfCode(doors, code)
    if (!place) return undefined
    const { merchantId, machineId } = place
    const machine = await doors.withTenant(
      wholeOf(merchantId),
      (db) => publicMachine(db, merchantId, machineId),
      'read',
    )
    return machine && `/key/${machine.slug}/m/${code}`
  }
