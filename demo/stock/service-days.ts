import { sql } from 'kysely'
import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { serviceDaysRead } from '#database/stock/availability/service-days.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'

interface Past {
  until: number
  seed: string
}

const daysBack = 40
const minutesOfDay = 1440

/** How long selections were sold out before the demo's books were opened, once. What the books themselves say stays. */
export async function addServiceDays(doors: Doors, { until, seed }: Past): Promise<void> {
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('productStock')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const known = await db.from('machine_service_days').select(['machine_id', 'day']).execute()
      const today = dayIn(new Date(until), merchant.timeZone)
      if (known.some(({ day }) => day < addDays(today, -serviceDaysRead))) return
      const ofBooks = new Set(known.map(({ machine_id, day }) => `${machine_id} ${day}`))
      await insertDays(db, { merchant, today, random: randomFrom(`${seed} service ${merchant.id}`), ofBooks })
    })
  }
}

interface Days {
  merchant: DemoMerchant
  today: string
  random: Random
  /** Days of machines whose books have them. */
  ofBooks: ReadonlySet<string>
}

async function insertDays(db: TenantDb, { merchant, today, random, ofBooks }: Days): Promise<void> {
  const { rows: machines } = await sql<{ id: string; selections: string[]; products: (string | null)[] }>`
    select m.id, array_agg(l.selection order by l.selection) as selections, array_agg(l.product_id order by l.selection) as products
    from machines m join planogram_lines l on ${db.own('l')} and l.merchant_id = m.merchant_id and l.planogram_id = m.planogram_id
    where ${db.own('m')} and m.merchant_id = ${merchant.id} and m.manage_stock and m.deleted_at is null
    group by m.id order by m.id`.execute(db.query)
  const columns = ['merchant_id', 'machine_id', 'day', 'selections', 'product_ids', 'minutes', 'sold_out']
  await insertRows(
    db.query,
    'machine_service_days',
    [...columns, 'service_minutes', 'sold_out_minutes'],
    machines.flatMap(({ id, selections, products }) => {
      // Some machines are visited too seldom.
      const often = random.next() < 0.15 ? 0.12 : 0.03
      return Array.from({ length: daysBack }, (_, at) => addDays(today, at - daysBack)).flatMap((day) => {
        const soldOut = selections.map(() => (random.next() < often ? random.int(60, 900) : 0))
        const sum = soldOut.reduce((all, one) => all + one, 0)
        const minutes = selections.map(() => minutesOfDay)
        if (ofBooks.has(`${id} ${day}`)) return []
        return [[merchant.id, id, day, selections, products, minutes, soldOut, minutesOfDay * selections.length, sum]]
      })
    }),
  )
}
