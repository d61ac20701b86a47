import { ProductError } from '#contract/errors.ts'
import { type machinePages, OfferedProduct } from '#contract/key-portal/machine-page.ts'
import { wholeOf } from '#database/key-portal/customer-account.ts'
import { offerOf, placeOfCode, publicMachine } from '#database/key-portal/machine-place.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

/** What anybody learns who scans a machine's QR code. */
export const machinePageHandlers: Handlers<typeof machinePages> = {
  getMachinePage: async ({ doors, params }) => {
    const place = await placeOfCode(doors, params.code)
    if (!place) throw new ProductError('MachineNotFound')
    const { merchantId, machineId } = place
    return doors.withTenant(
      wholeOf(merchantId),
      async (db) => {
        const machine = await publicMachine(db, merchantId, machineId)
        if (!machine) throw new ProductError('MachineNotFound')
        const { name, address, slug, merchantName, currency, isOnline, hasMedia } = machine
        return {
          code: params.code,
          slug,
          merchantName,
          currency,
          name,
          address,
          isOnline,
          takesAppPayments: hasMedia && isOnline,
          products: (await offerOf(db, merchantId, machineId)).map((row) => wireOf(OfferedProduct, row)),
        }
      },
      'read',
    )
  },

  findMachineByCode: async ({ doors, user, params }) => {
    const place = await placeOfCode(doors, params.code)
    const pairs = user.scope.filter(({ merchantId }) => merchantId === place?.merchantId)
    if (!place || pairs.length === 0) throw new ProductError('MachineNotFound')
    const machine = await doors.withTenant(
      pairs,
      (db) =>
        db
          .from('machines')
          .where('machines.id', '=', place.machineId)
          .select(['machines.id', 'machines.merchant_id', 'machines.serial'])
          .executeTakeFirst(),
      'read',
    )
    if (!machine) throw new ProductError('MachineNotFound')
    return { merchantId: machine.merchant_id, posId: machine.id, serial: machine.serial }
  },
}
