import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { uuidAt } from '../write/uuid.ts'

const dayMs = 86_400_000

interface Past {
  until: number
  seed: string
}

/** The counted money of each week is taken to the bank; the bank found another amount once. Only at merchants without deposits. */
export async function addDeposits(doors: Doors, past: Past): Promise<void> {
  for (const merchant of demoMerchants)
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const existing = await db.from('deposits').where('merchant_id', '=', merchant.id).select('id').limit(1).execute()
      if (existing.length === 0) await addDepositsOf(db, merchant, past)
    })
}

async function addDepositsOf(db: TenantDb, merchant: DemoMerchant, { until, seed }: Past) {
  const random = randomFrom(`${seed} deposits ${merchant.id}`)
  const counted = await db
    .from('collections')
    .where('collections.merchant_id', '=', merchant.id)
    .where('collections.status', '<>', 'open')
    .where('collections.counted_total', '>', 0)
    .where('collections.at', '<', new Date(until - 2 * dayMs))
    .select(['collections.id', 'collections.at', 'collections.counted_total'])
    .orderBy('collections.at')
    .execute()
  const weeks = [...Map.groupBy(counted, ({ at }) => Math.floor((until - at.getTime()) / (7 * dayMs)))]
  for (const [place, [weeksAgo, collections]] of weeks.entries()) {
    const at = until - (weeksAgo * 7 + 1) * dayMs
    const day = dayIn(new Date(at), merchant.timeZone)
    const sum = collections.reduce((all, { counted_total }) => all + (counted_total ?? 0), 0)
    // Coins are kept for change.
    const amount = Math.max(1, sum - (place % 3 === 0 ? Math.round(sum / 1000) * 100 : 0))
    const isCredited = weeksAgo > 0
    const id = uuidAt(at, random)
    await db.query
      .insertInto('deposits')
      .values({
        merchant_id: merchant.id,
        id,
        day,
        reference: `${day.slice(0, 4)}-${String(place + 1).padStart(4, '0')}`,
        amount,
        credited: isCredited ? amount - (place === 1 ? merchant.priceStep * 4 : 0) : null,
        credited_on: isCredited ? addDays(day, 2) : null,
        created_at: new Date(at),
      })
      .execute()
    await db.query
      .insertInto('deposited_collections')
      .values(
        collections.map((collection) => ({ merchant_id: merchant.id, collection_id: collection.id, deposit_id: id })),
      )
      .execute()
  }
}
