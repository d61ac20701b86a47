import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'
import { isCompared } from './compared-audits.ts'

/**
 * The price of a vend at a machine, in minor units of the merchant's currency: the median of the prices that the machine reported, else
 * of its last transmitted sales, else the average sale of its last audit in that currency, else null.
 */
export async function knownPrice(db: TenantDb, machineId: string): Promise<number | null> {
  const { rows } = await sql<{ price: number | null }>`
    select coalesce(
      (select percentile_disc(0.5) within group (order by price) from machine_prices
        where ${db.narrow('machine_prices')} and machine_id = ${machineId}::uuid and price > 0 and not gone),
      (select percentile_disc(0.5) within group (order by sale.value) from (
        select value from transactions where ${db.narrow('transactions')} and machine_id = ${machineId}::uuid
          and created_at > now() - interval '30 days' and price_line is not null and value > 0
        order by created_at desc limit 50) sale),
      (select (counters #>> '{lines,sold,1}')::float8 / nullif((counters #>> '{lines,sold,0}')::float8, 0) from audit_intervals
        where ${db.narrow('audit_intervals')} and machine_id = ${machineId}::uuid and ${isCompared('audit_intervals')}
          and not counters ? 'foreign'
        order by ends_at desc limit 1)
    )::float8 as price`.execute(db.query)
  return rows[0]?.price ?? null
}
