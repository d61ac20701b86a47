import { sql } from 'kysely'
import type { MovementSum } from '#domain/cash/movement.ts'
import type { Period } from '#domain/time/period.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { summedSales } from '../sales/summed-sales.ts'

/** Sums of a machine's transactions by type and media type, over days of its merchant's calendar. */
export async function movementsOf(db: TenantDb, machineId: string, period: Period): Promise<MovementSum[]> {
  const { rows } = await sql<MovementSum>`
    select s.type, s.media_type as "mediaType", sum(s.count)::bigint as count, sum(s.value + s.error_value)::bigint as value,
      sum(s.cash_value)::bigint as cash
    from ${summedSales(db, { ...period, posIds: [machineId] })} group by 1, 2`.execute(db.query)
  return rows
}
