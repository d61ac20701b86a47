import { sql } from 'kysely'
import type { CashFloat } from '#contract/cash/machine-cash.ts'
import type { CollectionStatus, FloatDevice } from '#contract/vocabulary/cash.ts'
import type { MovementSum } from '#domain/cash/movement.ts'
import { localDayOf, startOfLocalHour } from '#domain/time/local-hour.ts'
import { writtenJson } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { cashMoved } from '../sales/sales.ts'

interface Machine {
  id: string
  merchant_id: string
  time_zone: string
}

interface Pieces {
  value: number
  count: number
}

/** The last cash report of a machine; with a collection, the report at that collection. */
export async function lastReport(
  db: TenantDb,
  { id, merchant_id }: Machine,
  collection?: { at: Date; until: Date } | undefined,
) {
  const last = db
    .from('cash_readings')
    .where('merchant_id', '=', merchant_id)
    .where('machine_id', '=', id)
    .orderBy('at', 'desc')
    .limit(1)
  const report = await (collection
    ? last.where('at', '>=', collection.at).where('at', '<=', collection.until).where('box', 'is not', null)
    : last
  )
    .select(['at', 'box', 'tubes', 'recyclers', 'box_pieces'])
    .executeTakeFirst()
  if (!report) return undefined
  return {
    at: report.at,
    box: report.box,
    tubes: writtenJson<Pieces[]>(report.tubes),
    recyclers: writtenJson<Pieces[]>(report.recyclers),
    boxPieces: writtenJson<Pieces[] | null>(report.box_pieces),
  }
}

export const floatsOf = async (db: TenantDb, { id, merchant_id }: Machine) => {
  const rows = await db
    .from('cash_floats')
    .where('merchant_id', '=', merchant_id)
    .where('machine_id', '=', id)
    .select(['device', 'denomination', 'capacity', 'wanted', 'version'])
    .orderBy('device')
    .orderBy('denomination')
    .execute()
  return rows.map(({ device, denomination, ...row }) => ({
    ...row,
    device: device as FloatDevice,
    value: denomination,
  }))
}

/** Writes all floats of a machine, whose journal is locked. Rows that are left out have neither capacity nor wanted pieces. */
export async function writeFloats(
  db: TenantDb,
  { id, merchant_id }: Machine,
  floats: readonly CashFloat[],
  version: number,
): Promise<void> {
  await db.query
    .updateTable('cash_floats')
    .set({ capacity: null, wanted: null, version })
    .where('merchant_id', '=', merchant_id)
    .where('machine_id', '=', id)
    .execute()
  for (const { device, value, capacity, wanted } of floats)
    await db.query
      .insertInto('cash_floats')
      .values({ merchant_id, machine_id: id, device, denomination: value, capacity, wanted, version })
      .onConflict((conflict) =>
        conflict
          .columns(['merchant_id', 'machine_id', 'device', 'denomination'])
          .doUpdateSet({ capacity, wanted, version }),
      )
      .execute()
}

/** The last collection of a machine. */
export const lastCollection = async (db: TenantDb, { id, merchant_id }: Machine) => {
  const row = await db
    .from('collections')
    .where('merchant_id', '=', merchant_id)
    .where('machine_id', '=', id)
    .select(['id', 'at', 'until', 'status'])
    .orderBy('until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, status: row.status as CollectionStatus }
}

/** Movements since an instant: sums of hours, and single transactions of the hour that the instant is in. */
export async function movementsSince(db: TenantDb, machine: Machine, since: Date): Promise<MovementSum[]> {
  const next = new Date(startOfLocalHour(since.getTime(), machine.time_zone) + 3_600_000)
  const day = localDayOf(next.getTime(), machine.time_zone)
  const { rows } = await sql<MovementSum>`
    select m.type, m.media_type as "mediaType", sum(m.count)::bigint as count, sum(m.value)::bigint as value, sum(m.cash)::bigint as cash from (
      select s.type, s.media_type, s.count, s.value + s.error_value as value, s.cash_value as cash from sales_hourly s
      where ${db.own('s')} and s.merchant_id = ${machine.merchant_id} and s.machine_id = ${machine.id} and s.day >= ${day}::date
        and s.hour >= ${next}
      union all
      select t.type, t.media_type, 1, t.value, ${cashMoved('t')} from transactions t
      where ${db.own('t')} and t.merchant_id = ${machine.merchant_id} and t.machine_id = ${machine.id}
        and t.created_at > ${since} and t.created_at < ${next}
    ) m group by 1, 2`.execute(db.query)
  return rows
}
