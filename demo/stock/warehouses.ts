import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { bookPieces } from '#server/warehouse/book-pieces.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const dayMs = 86_400_000

const words = {
  it: {
    warehouse: 'Magazzino centrale',
    van: 'Ducato',
    supplier: 'Ingrosso Distribuzione',
    count: 'Inventario mensile',
  },
  es: { warehouse: 'Almacén central', van: 'Transit', supplier: 'Mayorista del Norte', count: 'Inventario mensual' },
  en: { warehouse: 'Main warehouse', van: 'Transporter', supplier: 'Wholesale', count: 'Monthly count' },
} as const satisfies Record<DemoMerchant['speech'], object>

interface Past {
  until: number
  seed: string
}

/** A warehouse with deliveries of two months, and a van for the technician of the next round, at each merchant with warehouses; unless it has places. */
export async function addWarehouses(doors: Doors, past: Past): Promise<void> {
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('warehouse')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const places = await db
        .from('stock_places')
        .where('merchant_id', '=', merchant.id)
        .select('id')
        .limit(1)
        .execute()
      if (places.length === 0) await addPlaces(db, merchant, past)
    })
  }
}

async function addPlaces(db: TenantDb, merchant: DemoMerchant, { until, seed }: Past) {
  const random = randomFrom(`${seed} warehouses ${merchant.id}`)
  const text = words[merchant.speech]
  const [keeper] = authorsAt({ merchant, group: merchant.places[0]?.group ?? '' }, 'pieces.write')
  const products = await db
    .from('products')
    .where('merchant_id', '=', merchant.id)
    .select(['id', 'cost'])
    .orderBy('code')
    .execute()
  const [first, second, third] = products
  if (!keeper || !first || !second || !third) return
  const round = await nextRound(db, merchant.id)
  const warehouseId = await addPlace(
    db,
    merchant,
    { name: text.warehouse, kind: 'warehouse' },
    until - 60 * dayMs,
    random,
  )
  const vanId = await addPlace(
    db,
    merchant,
    { name: text.van, kind: 'van', driver: round?.driver },
    until - 60 * dayMs,
    random,
  )
  const book = (at: number, placeId: string, operation: Parameters<typeof bookPieces>[2]) =>
    bookPieces(
      { db, user: keeper, now: new Date(at), live: { announce: () => {} } },
      { merchantId: merchant.id, placeId, timeZone: merchant.timeZone },
      operation,
    )
  const dayOf = (days: number) => addDays(dayIn(new Date(until), merchant.timeZone), days)
  for (const [daysAgo, lasts] of [
    [58, 55],
    [20, 160],
    [2, 210],
  ] as const) {
    const at = until - daysAgo * dayMs
    await book(at, warehouseId, {
      kind: 'purchase',
      id: uuidAt(at, random),
      supplier: text.supplier,
      document: `${merchant.country}-${2000 + random.int(100, 999)}`,
      note: null,
      lines: products.map(({ id, cost }) => ({
        productId: id,
        // What is left of the oldest delivery is little.
        pieces: daysAgo === 58 ? random.int(0, 3) + 1 : 12 * random.int(2, 10),
        lotCode: `L${random.int(10_000, 99_999)}`,
        expiresOn: dayOf(lasts - daysAgo + random.int(0, 6)),
        unitCost: cost,
      })),
    })
  }
  await book(until - dayMs, warehouseId, {
    kind: 'transfer',
    id: uuidAt(until - dayMs, random),
    toStockPlaceId: vanId,
    document: null,
    note: null,
    lines: products.map(({ id }) => ({ productId: id, pieces: random.int(4, 12) })),
  })
  await book(until - 12 * 3_600_000, warehouseId, {
    kind: 'count',
    id: uuidAt(until - 12 * 3_600_000, random),
    document: null,
    note: text.count,
    lines: [first, second, third].map(({ id }) => ({ productId: id, counted: random.int(18, 24) })),
  })
  if (round)
    await db.query
      .updateTable('rounds')
      .set({ van_id: vanId })
      .where(db.narrow('rounds'))
      .where('rounds.merchant_id', '=', merchant.id)
      .where('rounds.id', '=', round.id)
      .execute()
}

/** The planned round of a merchant, with its technician. */
async function nextRound(db: TenantDb, merchantId: string) {
  const [round] = await db
    .from('rounds')
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'planned')
    .select(['id', 'assignee_id', 'assignee_name'])
    .orderBy('day')
    .limit(1)
    .execute()
  if (!round) return undefined
  const { id, assignee_id, assignee_name } = round
  return { id, driver: assignee_id && assignee_name ? { id: assignee_id, name: assignee_name } : undefined }
}

interface NewPlace {
  name: string
  kind: 'warehouse' | 'van'
  driver?: { id: string; name: string } | undefined
}

async function addPlace(
  db: TenantDb,
  merchant: DemoMerchant,
  { name, kind, driver }: NewPlace,
  at: number,
  random: Random,
): Promise<string> {
  const id = uuidAt(at, random)
  await db.query
    .insertInto('stock_places')
    .values({
      merchant_id: merchant.id,
      id,
      name,
      kind,
      driver_id: driver?.id ?? null,
      driver_name: driver?.name ?? null,
      address: kind === 'warehouse' ? (merchant.places[0]?.address ?? null) : null,
      created_at: new Date(at),
    })
    .execute()
  return id
}
