import { randomInt, randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>

async function insert({ admin }: Owned, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  await admin(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

/** A product of a merchant; `with_` sets columns. */
export async function aProduct(database: Owned, merchantId: string, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  const columns = { code: `P${randomInt(1e12)}`, name: `Product ${randomInt(1e12)}`, product_type: 'C', ...with_ }
  await insert(database, 'products', { merchant_id: merchantId, id, created_at: new Date(), ...columns })
  return id
}

/** A PNG of one pixel. */
export const pngOfOnePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A product with a picture. */
export async function aPicturedProduct(database: Owned, merchantId: string, with_: Record<string, unknown> = {}) {
  const thumbnail = `data:image/png;base64,${pngOfOnePixel.toString('base64')}`
  const id = await aProduct(database, merchantId, { thumbnail, ...with_ })
  await insert(database, 'product_pictures', {
    merchant_id: merchantId,
    product_id: id,
    kind: 'png',
    bytes: pngOfOnePixel,
  })
  return id
}

/** A selection of a planogram with a product. */
export const aPlanogramLine = (
  database: Owned,
  merchantId: string,
  planogramId: string,
  productId: string,
  with_: Record<string, unknown> = {},
) =>
  insert(database, 'planogram_lines', {
    merchant_id: merchantId,
    planogram_id: planogramId,
    product_id: productId,
    selection: String(randomInt(1e6)),
    position: 1,
    capacity: 10,
    warning_level: 2,
    refill_value: 8,
    ...with_,
  })

/** A product code that a machine sent, mapped to no product. */
export async function aProductCode(
  database: Owned,
  machine: { merchantId: string; id: string },
  with_: Record<string, unknown> = {},
) {
  const id = randomUUIDv7()
  const columns = { code: `M${randomInt(1e12)}`, first_seen_at: new Date(), seen_at_machine: machine.id, ...with_ }
  await insert(database, 'product_codes', { merchant_id: machine.merchantId, id, ...columns })
  await database.admin(
    `update product_codes c set seen_in_groups = array[m.group_id] from machines m
      where m.merchant_id = c.merchant_id and c.merchant_id = $1 and m.id = c.seen_at_machine and c.id = $2 and m.group_id is not null`,
    [machine.merchantId, id],
  )
  return id
}

/** A planogram without selections. */
export async function aPlanogram(database: Owned, merchantId: string, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  const columns = { name: `Planogram ${randomInt(1e12)}`, planogram_type: 'B', ...with_ }
  await insert(database, 'planograms', { merchant_id: merchantId, id, created_at: new Date(), ...columns })
  return id
}

/** A no-vend profile of selection 1 on Monday mornings. */
export async function aNoVendProfile(database: Owned, merchantId: string, with_: Record<string, unknown> = {}) {
  const id = randomUUIDv7()
  const windows = JSON.stringify([{ days: [1], from: '08:00', to: '12:00' }])
  const columns = { name: `Profile ${randomInt(1e12)}`, selections: ['1'], windows, ...with_ }
  await insert(database, 'no_vend_profiles', { merchant_id: merchantId, id, created_at: new Date(), ...columns })
  return id
}
