import type pg from 'pg'
import { randomFrom } from '#simulator/random.ts'
import type { MachinePast } from '../history/write-history.ts'
import { uuidAt } from '../write/uuid.ts'
import { demoMerchants } from './merchants.ts'
import { type PlaceKind, sectorOf } from './places.ts'

/** Places without a client: the merchant's own or public. */
const withoutClient: readonly PlaceKind[] = ['school', 'townHall']

/** Most clients get a share of sales, some an amount per vend. */
const commissionOf = (index: number, step: number) =>
  index % 5 === 4
    ? ['none', null, null]
    : index % 5 === 3
      ? ['perVend', null, step]
      : ['percent', [8, 10, 12.5][index % 3], null]

/** Inserts one client for each place that has machines; returns their ids by merchant and address. */
export async function insertClients(
  client: pg.Client,
  { pasts, seed }: { pasts: readonly MachinePast[]; seed: string },
  createdAt: Date,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  const random = randomFrom(`${seed} clients`)
  for (const { id: merchantId, places, country, priceStep } of demoMerchants) {
    const isUsed = (address: string) =>
      pasts.some(({ machine }) => machine.merchant.id === merchantId && machine.address === address)
    for (const [index, { kind, name, address }] of places.entries()) {
      const key = `${merchantId} ${address}`
      if (withoutClient.includes(kind) || ids.has(key) || !isUsed(address)) continue
      const id = uuidAt(createdAt.getTime(), random)
      ids.set(key, id)
      const at = address.lastIndexOf(', ')
      await client.query(
        `insert into clients (merchant_id, id, code, name, country, address, city, created_at, sector, commission_kind, commission_percent, commission_per_vend)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          merchantId,
          id,
          `C${String(index + 1).padStart(4, '0')}`,
          name,
          country,
          address.slice(0, at),
          address.slice(at + 2),
          createdAt,
          sectorOf[kind],
          ...commissionOf(index, priceStep),
        ],
      )
    }
  }
  return ids
}
