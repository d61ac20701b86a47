import { randomUUIDv7 } from 'node:crypto'
import { noLot } from '#domain/warehouse/pieces.ts'
import type { TestDatabase } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>

/** Three pieces of a product that a count at a new warehouse lacked. */
export async function aPieceLoss(database: Owned, merchantId: string, productId: string): Promise<void> {
  const [placeId, operationId] = [randomUUIDv7(), randomUUIDv7()]
  await database.admin(
    `insert into stock_places (merchant_id, id, name, kind, created_at) values ($1, $2, $3, 'warehouse', now())`,
    [merchantId, placeId, `Warehouse ${placeId.slice(-6)}`],
  )
  await database.admin(
    `insert into piece_operations (merchant_id, id, kind, at, booked_at, place_id, digest) values ($1, $2, 'count', now(), now(), $3, 'test')`,
    [merchantId, operationId, placeId],
  )
  const entry = (account: string, ownerId: string, pieces: number) =>
    database.admin(
      `insert into piece_entries (merchant_id, operation_id, account, owner_id, product_id, lot_id, pieces, at)
       values ($1, $2, $3, $4, $5, $6, $7, now())`,
      [merchantId, operationId, account, ownerId, productId, noLot, pieces],
    )
  await entry('place', placeId, -3)
  await entry('difference', merchantId, 3)
}
