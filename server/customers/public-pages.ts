import type { Doors } from '#database/frame/tenant.ts'
import { wholeOf } from '#database/key-portal/customer-account.ts'
import { placeOfCode, publicMachine } from '#database/key-portal/machine-place.ts'

/** The page of the key portal about the machine with a QR code; undefined if its merchant shows none. */
export const publicPages =
  (doors: Doors) =>
  async (code: string): Promise<string | undefined> => {
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
