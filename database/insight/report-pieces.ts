import { sql } from 'kysely'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { pieceLosses } from '../warehouse/piece-losses.ts'
import { groupedSums, type ReportOrder } from './report-grouping.ts'

/** Losses of warehouses and vans in the period, as their list has them. Costs are for readers who see products; users hidden from merchants are not named. */
export async function piecesByGrouping(
  db: TenantDb,
  order: ReportOrder & { withCosts: boolean },
  limit: number,
): Promise<SummedRow[]> {
  const losses = await pieceLosses(db, order, false)
  const value = (kind: string) => sql`coalesce(sum(x.pieces * x.unit_cost) filter (where x.kind = ${kind}), 0)::bigint`
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select loss.*, to_char(loss.day, 'YYYYMM') as month,
          first_value(loss.driver) over (partition by loss.merchant_id, loss.driver_id order by loss.at desc) as driver_name
        from ${losses} loss where ${hasFeature(db, 'warehouse', 'loss')}`,
      sums: {
        lostPieces: sql`sum(case when x.kind = 'found' then -x.pieces else x.pieces end)::bigint`,
        ...(order.withCosts && {
          bookedPieces: sql`sum(x.pieces)::bigint`,
          costedLosses: sql`coalesce(sum(x.pieces) filter (where x.unit_cost is not null), 0)::bigint`,
          missing: value('missing'),
          found: value('found'),
          expired: value('expired'),
          discarded: value('waste'),
        }),
      },
    },
    { limit },
  )
}
