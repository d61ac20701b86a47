import { sql } from 'kysely'
import type { Movement } from '#domain/cash/movement.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Sums of a machine's transactions over days of its merchant's calendar, by type and media type. */
export async function movementsOf(
  db: TenantDb,
  machineId: string,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select s.type, s.media_type as "mediaType", sum(s.count)::bigint as count, sum(s.value)::bigint as value
    from merchants m join sales_hourly s on s.merchant_id = m.id
    where ${db.narrow('sales_hourly', 's')} and s.machine_id = ${machineId}
      and s.hour >= start_of_day(${startDate}::date, m.time_zone) and s.hour < start_of_day(${endDate}::date + 1, m.time_zone)
    group by 1, 2`.execute(db.query)
  return rows
}
