import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { MinorUnits } from '../frame/shapes.ts'
import { Allergen } from '../vocabulary/catalogue/product.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** The random part of the address in a machine's QR code (`/m/{code}`). */
export const MachineCode = z.string().regex(/^[0-9a-f]{12}$/, saying('format'))

/** A selection of a machine, with the product behind it where it is known. */
export const OfferedProduct = z.strictObject({
  selection: z.string(),
  /** Null: the machine names none. */
  name: z.string().nullable(),
  description: z.string().nullable(),
  allergens: z.array(Allergen),
  /** A small picture as a data URL. */
  thumbnail: z.string().nullable(),
  /** Minor units: the price in cash, and with a key, card or the app; null: not known. */
  price: MinorUnits.nullable(),
  cashlessPrice: MinorUnits.nullable(),
  isSoldOut: z.boolean(),
})
export type OfferedProduct = z.infer<typeof OfferedProduct>

/** What anybody may know of a machine who has scanned its QR code. */
export const MachinePage = z.strictObject({
  code: z.string(),
  /** The key portal of its merchant: `/key/{slug}`. */
  slug: z.string(),
  merchantName: z.string(),
  currency: Currency,
  name: z.string(),
  /** The place, as the merchant wrote it. */
  address: z.string().nullable(),
  isOnline: z.boolean(),
  /** App payments are possible: the merchant has media, and the machine is online. */
  takesAppPayments: z.boolean(),
  products: z.array(OfferedProduct),
})
export type MachinePage = z.infer<typeof MachinePage>

export const machinePages = {
  getMachinePage: endpoint({
    method: 'GET',
    path: '/cogeskey/machines/{code}',
    summary: 'Get what a customer may know of a machine by the code of its QR image',
    needs: 'anyone',
    limit: 'machinePage',
    params: { code: MachineCode },
    ok: MachinePage,
    fails: ['MachineNotFound', 'TooManyRequests'],
  }),
  findMachineByCode: endpoint({
    method: 'GET',
    path: '/machine-codes/{code}',
    summary: 'Get the machine of a QR code within one’s own scope',
    needs: 'machine.read',
    params: { code: MachineCode },
    ok: z.strictObject({ merchantId: z.uuid(), posId: z.uuid(), serial: z.string() }),
    fails: ['MachineNotFound'],
  }),
}
