import { sql } from 'kysely'
import type { NewVisit } from '#contract/stock/visit.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A visit with its lines; undefined outside the scope. */
export async function findVisit(db: TenantDb, machineId: string, id: string) {
  const visit = await db
    .from('visits')
    .where('visits.machine_id', '=', machineId)
    .where('visits.id', '=', id)
    .selectAll('visits')
    .select(
      sql<boolean>`exists (select 1 from visit_pictures picture where ${db.own('picture')}
        and picture.merchant_id = visits.merchant_id and picture.visit_id = visits.id)`.as('has_picture'),
    )
    .executeTakeFirst()
  if (!visit) return undefined
  const lines = await db
    .from('visit_lines')
    .where('visit_lines.merchant_id', '=', visit.merchant_id)
    .where('visit_lines.visit_id', '=', id)
    .select(['selection', 'planned', 'loaded', 'waste', 'counted', 'unit_cost'])
    .execute()
  return { ...visit, lines }
}
export type VisitRecord = NonNullable<Awaited<ReturnType<typeof findVisit>>>

export const findVisitPicture = (db: TenantDb, machineId: string, visitId: string) =>
  db
    .from('visit_pictures')
    .where('visit_pictures.machine_id', '=', machineId)
    .where('visit_pictures.visit_id', '=', visitId)
    .select('visit_pictures.bytes')
    .executeTakeFirst()

/** Whether an id is taken by any visit of the merchant. The machine of an id never changes. */
export const isVisitIdTaken = async (db: TenantDb, merchantId: string, id: string): Promise<boolean> =>
  (await db.query
    .selectFrom('visits')
    .where(db.own('visits'))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst()) !== undefined

/** What a visit costs the merchant now, in minor units; null: unknown. */
export async function costOfVisit(db: TenantDb, merchantId: string): Promise<number | null> {
  const row = await db
    .from('merchant_settings')
    .where('merchant_settings.merchant_id', '=', merchantId)
    .select('merchant_settings.visit_cost')
    .executeTakeFirst()
  return row?.visit_cost || null
}

/** What a piece of each product cost on a day, in minor units; null: unknown. */
export async function pieceCosts(
  db: TenantDb,
  merchantId: string,
  productIds: readonly string[],
  day: string,
): Promise<Map<string, number | null>> {
  if (productIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; cost: number | null }>`
    select p.id, case when former.product_id is null then p.cost else former.cost end as cost
    from products p left join lateral (
      select f.product_id, f.cost from former_product_terms f
      where ${db.own('f')} and f.merchant_id = p.merchant_id and f.product_id = p.id and f.until > ${day}::date
      order by f.until limit 1
    ) former on true
    where ${db.own('p')} and p.merchant_id = ${merchantId} and p.id = any(${productIds}::uuid[])`.execute(db.query)
  return new Map(rows.map(({ id, cost }) => [id, cost]))
}

type VisitRow = Omit<VisitRecord, 'lines' | 'has_picture'>

/** Stores a visit with its lines and picture. */
export async function insertVisit(
  db: TenantDb,
  visit: VisitRow,
  lines: readonly (NewVisit['lines'][number] & { unit_cost: number | null })[],
  picture: Buffer | null,
): Promise<void> {
  await db.query.insertInto('visits').values(visit).execute()
  const { merchant_id, id: visit_id, machine_id } = visit
  const columns = [
    'merchant_id',
    'visit_id',
    'machine_id',
    'selection',
    'planned',
    'loaded',
    'waste',
    'counted',
    'unit_cost',
  ]
  const rows = lines.map((line) => [
    merchant_id,
    visit_id,
    machine_id,
    line.selection,
    line.planned,
    line.loaded,
    line.waste,
    line.counted,
    line.unit_cost,
  ])
  if (rows.length > 0) await insertRows(db.query, 'visit_lines', columns, rows, '')
  if (picture)
    await db.query.insertInto('visit_pictures').values({ merchant_id, visit_id, machine_id, bytes: picture }).execute()
}

/** Closes a stop by a visit. */
export const closeByVisit = (
  db: TenantDb,
  stop: { merchant_id: string; id: string },
  { visitId, at, user }: { visitId: string; at: Date; user: { id: string; name: string } },
) =>
  db.query
    .updateTable('round_stops')
    .set({
      status: 'done',
      skip_reason: null,
      skip_note: null,
      closed_at: at,
      closed_by: 'visit',
      closed_by_id: user.id,
      closed_by_name: user.name,
      visit_id: visitId,
    })
    .where('merchant_id', '=', stop.merchant_id)
    .where('id', '=', stop.id)
    .execute()

/** The planned quantities of a stop, by selection. */
export async function plannedLoads(db: TenantDb, stopId: string): Promise<Map<string, number>> {
  const rows = await db
    .from('round_loads')
    .where('round_loads.stop_id', '=', stopId)
    .select(['selection', 'quantity'])
    .execute()
  return new Map(rows.map(({ selection, quantity }) => [selection, quantity]))
}

/** A stop with its round, and the machine that comes after it. */
export async function stopOfVisit(db: TenantDb, stopId: string) {
  const { rows } = await sql<{
    id: string
    roundId: string
    roundName: string
    vanId: string | null
    position: number
    stops: number
    nextName: string | null
  }>`
    select stop.id, round.id as "roundId", round.name as "roundName", round.van_id as "vanId", stop.position,
      (select count(*)::int from round_stops other where ${db.narrow('round_stops', 'other')}
        and other.merchant_id = stop.merchant_id and other.round_id = stop.round_id) as stops,
      (select machine.name from round_stops later join machines machine on ${db.own('machine')}
          and machine.merchant_id = later.merchant_id and machine.id = later.machine_id
        where ${db.narrow('round_stops', 'later')} and later.merchant_id = stop.merchant_id and later.round_id = stop.round_id
          and later.position > stop.position and later.status = 'open'
        order by later.position limit 1) as "nextName"
    from round_stops stop join rounds round on ${db.own('round')} and round.merchant_id = stop.merchant_id
      and round.id = stop.round_id
    where ${db.narrow('round_stops', 'stop')} and stop.id = ${stopId}::uuid`.execute(db.query)
  return rows[0]
}
