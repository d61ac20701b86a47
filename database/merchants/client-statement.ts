import { sql } from 'kysely'
import type { Period } from '#domain/time/period.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isSale } from '../sales/sales.ts'
import { summedSales } from '../sales/summed-sales.ts'

/** What a machine paid back: refunds and reversals. */
const backTypes = [6, 16] as const

export interface StatementLine {
  name: string
  serial: string
  sales: number
  refunds: number
  vends: number
}

/**
 * What machines of the scope that are at a client today sold in a period, in minor units. `vends` are paid and did not fail. Refunds are those of
 * the machine, and cloud credit that users gave for its vends; credit to be collected at the machine counts when the machine reports it.
 */
export async function statementLines(
  db: TenantDb,
  { merchant_id, id, time_zone }: { merchant_id: string; id: string; time_zone: string },
  { startDate, endDate }: Period,
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select p.name, p.serial, coalesce(s.sales, 0) as sales, coalesce(s.vends, 0) as vends,
      coalesce(s.refunds, 0) + coalesce(r.refunds, 0) as refunds
    from machines p
    left join (
      select s.machine_id, coalesce(sum(s.value) filter (where ${isSale('s')}), 0)::bigint as sales,
        coalesce(sum(s.count - s.error_count - s.free_count) filter (where ${isSale('s')}), 0)::bigint as vends,
        coalesce(sum(abs(s.value)) filter (where s.type = any(${sql.lit(`{${backTypes.join(',')}}`)}::smallint[])), 0)::bigint as refunds
      from ${summedSales(db, { startDate, endDate, clientIds: [id] })} group by 1
    ) s on s.machine_id = p.id
    left join (
      select g.pos_id, sum(g.amount)::bigint as refunds from refunds g
      where ${db.narrow('refunds', 'g')} and g.merchant_id = ${merchant_id} and g.kind = 'cloud' and g.transaction_id is not null
        and g.created_at >= start_of_day(${startDate}::date, ${time_zone})
        and g.created_at < start_of_day(${endDate}::date + 1, ${time_zone})
      group by 1
    ) r on r.pos_id = p.id
    where ${db.narrow('machinesEver', 'p')} and p.merchant_id = ${merchant_id} and p.client_id = ${id}
      and (p.deleted_at is null or s.machine_id is not null)
    order by lower(p.name), p.id`.execute(db.query)
  return rows
}
