import { sql } from 'kysely'
import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { costOfVisit } from '#database/stock/visit.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

interface Past {
  seed: string
}

/** A selection of a machine by its planogram. */
interface Planned {
  machineId: string
  selection: string
  capacity: number
  cost: number | null
}

/** The visits that took the cash boxes of the history, with what they loaded and threw away; unless a merchant has them. */
export async function addPastVisits(doors: Doors, { seed }: Past): Promise<void> {
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('productStock')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const existing = await db.from('visits').where('visits.digest', '=', digest).select('id').limit(1).execute()
      if (existing.length === 0) await addVisitsOf(db, merchant, randomFrom(`${seed} visits ${merchant.id}`))
    })
  }
}

const digest = 'demo past'

async function addVisitsOf(db: TenantDb, merchant: DemoMerchant, random: Random): Promise<void> {
  const drivers = authorsAt({ merchant, group: '' }, 'visit.write')
  const cost = await costOfVisit(db, merchant.id)
  const planned = Map.groupBy(await plannedSelections(db, merchant.id), ({ machineId }) => machineId)
  const boxes = await db
    .from('collections')
    .select(['id', 'machine_id', 'at', 'bag_number'])
    .orderBy('at')
    .orderBy('id')
    .execute()
  const driverOf = new Map<string, (typeof drivers)[number] | undefined>()
  const visits = boxes.map((box) => {
    // A technician visits the same machines.
    const driver = driverOf.get(box.machine_id) ?? drivers[random.int(0, drivers.length - 1)]
    driverOf.set(box.machine_id, driver)
    return { ...box, visitId: uuidAt(box.at.getTime(), random), driver }
  })
  const known = visits.flatMap(({ driver, ...visit }) => (driver ? [{ ...visit, driver }] : []))
  await insertRows(
    db.query,
    'visits',
    [
      'merchant_id',
      'id',
      'machine_id',
      'at',
      'received_at',
      'user_id',
      'user_name',
      'cash_taken',
      'bag_number',
      'digest',
      'cost',
    ],
    known.map((one) => [
      merchant.id,
      one.visitId,
      one.machine_id,
      one.at,
      one.at,
      one.driver.id,
      one.driver.name,
      true,
      one.bag_number,
      digest,
      cost,
    ]),
    '',
  )
  await insertRows(
    db.query,
    'visit_lines',
    ['merchant_id', 'visit_id', 'machine_id', 'selection', 'planned', 'loaded', 'waste', 'unit_cost'],
    known.flatMap((one) =>
      (planned.get(one.machine_id) ?? []).flatMap((line) => {
        const loaded = random.next() < 0.7 ? random.int(1, Math.max(1, Math.round(line.capacity * 0.6))) : 0
        const waste = random.next() < 0.04 ? random.int(1, 2) : 0
        return loaded + waste > 0
          ? [[merchant.id, one.visitId, one.machine_id, line.selection, loaded, loaded, waste, line.cost]]
          : []
      }),
    ),
    '',
  )
  await insertRows(
    db.query,
    'collection_sources',
    ['merchant_id', 'source', 'source_id', 'collection_id', 'machine_id', 'at', 'since', 'user_id', 'user_name'],
    known.map((one) => [
      merchant.id,
      'visit',
      one.visitId,
      one.id,
      one.machine_id,
      one.at,
      one.at,
      one.driver.id,
      one.driver.name,
    ]),
    '',
  )
}

async function plannedSelections(db: TenantDb, merchantId: string): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    select m.id as "machineId", l.selection, l.capacity, p.cost
    from machines m
    join planogram_lines l on ${db.own('l')} and l.merchant_id = m.merchant_id and l.planogram_id = m.planogram_id
    left join products p on ${db.own('p')} and p.merchant_id = l.merchant_id and p.id = l.product_id
    where ${db.own('m')} and m.merchant_id = ${merchantId} and m.deleted_at is null order by m.id, l.selection`.execute(
    db.query,
  )
  return rows
}
