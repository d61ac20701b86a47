import { sql } from 'kysely'
import { backTypes } from '#contract/vocabulary/transaction.ts'
import type { Commission, SoldUnder } from '#domain/sales/commission.ts'
import type { Period } from '#domain/time/period.ts'
import { among } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isSale } from '../sales/sales.ts'
import { summedSales } from '../sales/summed-sales.ts'
import { stretchesOf, stretchOf, wasAt } from '../sales/terms-of-day.ts'

/** What a machine sold at a client, in minor units; `parts` are the same by agreement. */
export interface StatementLine {
  name: string
  serial: string
  sales: number
  refunds: number
  vends: number
  parts: SoldUnder[]
}

interface ClientOfStatement {
  merchant_id: string
  id: string
  time_zone: string
}

/** An agreement with its first day; null: from the start. */
export type Agreed = Commission & { since: string | null }

/** The agreements with a client until now, the oldest first; the last one is today's. */
export async function agreementsOf(db: TenantDb, { merchant_id, id }: ClientOfStatement): Promise<Agreed[]> {
  const { rows } = await sql<{
    until: string | null
    kind: Commission['kind']
    percent: string | null
    per_vend: number | null
  }>`
    select f.until::text as until, f.commission_kind as kind, f.commission_percent as percent, f.commission_per_vend as per_vend
    from former_client_terms f where ${db.own('f')} and f.merchant_id = ${merchant_id} and f.client_id = ${id}
    union all
    select null, c.commission_kind, c.commission_percent, c.commission_per_vend
    from clients c where ${db.own('c')} and c.merchant_id = ${merchant_id} and c.id = ${id}
    order by 1 nulls last`.execute(db.query)
  return rows.map(({ kind, percent, per_vend }, at) => ({
    kind,
    percent: percent === null ? null : Number(percent),
    perVend: per_vend,
    since: rows[at - 1]?.until ?? null,
  }))
}

/**
 * What machines of the scope sold in a period on the days on which they were at a client. `vends` are paid and did not fail. Refunds are those of
 * the machine, and cloud credit that users gave for its vends; credit to be collected at the machine counts when the machine reports it.
 */
export async function statementLines(
  db: TenantDb,
  client: ClientOfStatement,
  { startDate, endDate }: Period,
): Promise<StatementLine[]> {
  const { merchant_id, id, time_zone } = client
  const there = { clientIds: [id], terms: 'ofDay' as const }
  const changes = await stretchesOf(db, { startDate, endDate }, ['former_client_terms'])
  const stretches = changes.length > 0 ? changes : [startDate]
  const day = sql`(g.created_at at time zone ${time_zone})::date`
  const { rows } = await sql<{
    id: string
    name: string
    serial: string
    day: string | null
    sales: number
    vends: number
    refunds: number
  }>`
    select p.id, p.name, p.serial, x.day::text as day, coalesce(sum(x.sales), 0)::bigint as sales, coalesce(sum(x.vends), 0)::bigint as vends,
      coalesce(sum(x.refunds), 0)::bigint as refunds
    from machines p
    left join (
      select s.machine_id, ${stretchOf(stretches, sql`s.day`)} as day, sum(s.value) filter (where ${isSale('s')}) as sales,
        sum(s.count - s.error_count - s.free_count) filter (where ${isSale('s')}) as vends,
        sum(abs(s.value)) filter (where ${among('s.type', backTypes, 'int')}) as refunds
      from ${summedSales(db, { startDate, endDate, ...there })} group by 1, 2
      union all
      select g.pos_id, ${stretchOf(stretches, day)}, null, null, sum(g.amount) from refunds g
      where ${db.narrow('refunds', 'g')} and g.merchant_id = ${merchant_id} and g.kind = 'cloud' and g.transaction_id is not null
        and g.created_at >= start_of_day(${startDate}::date, ${time_zone})
        and g.created_at < start_of_day(${endDate}::date + 1, ${time_zone})
        and ${wasAt(db, there, { merchantId: sql`g.merchant_id`, machineId: sql`g.pos_id`, day })}
      group by 1, 2
    ) x on x.machine_id = p.id
    where ${db.narrow('machinesEver', 'p')} and p.merchant_id = ${merchant_id}
      and (x.machine_id is not null or p.client_id = ${id} and p.deleted_at is null)
    group by 1, 2, 3, 4 order by lower(p.name), p.id, 4`.execute(db.query)
  const agreements = await agreementsOf(db, client)
  const agreedOn = (first: string) => agreements.findLast(({ since }) => since === null || since <= first) as Agreed
  return [...Map.groupBy(rows, (row) => row.id).values()].map((machineRows): StatementLine => {
    const sum = (of: 'sales' | 'vends' | 'refunds') => machineRows.reduce((total, row) => total + row[of], 0)
    return {
      name: machineRows[0]?.name ?? '',
      serial: machineRows[0]?.serial ?? '',
      sales: sum('sales'),
      refunds: sum('refunds'),
      vends: sum('vends'),
      parts: machineRows.map(({ day: first, sales, refunds, vends }) => ({
        agreed: agreedOn(first ?? startDate),
        sold: { sales, refunds, vends },
      })),
    }
  })
}
