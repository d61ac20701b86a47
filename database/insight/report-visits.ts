import { sql } from 'kysely'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { anyOf } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { wasAt } from '../sales/terms-of-day.ts'
import { collectedBy } from '../stock/visits/visit-collection.ts'
import { handledPieces } from '../stock/visits/visit-pieces.ts'
import { stretchesOfPlaces } from './report-events.ts'
import { groupedSums, type ReportOrder } from './report-grouping.ts'

/** Visits of the period as their list has them. Costs are for readers who see products; users hidden from merchants are not named. */
export async function visitsByGrouping(
  db: TenantDb,
  order: ReportOrder & { withCosts: boolean },
  limit: number,
): Promise<SummedRow[]> {
  const { startDate, endDate, posIds } = order
  const isOfDay = (await stretchesOfPlaces(db, order)).length > 0
  const hidden = await hiddenFrom(db, false)
  const day = sql`(v.at at time zone m.time_zone)::date`
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select v.merchant_id, v.machine_id, ${day} as day, to_char(${day}, 'YYYYMM') as month, v.cost, handled.*,
          taken.counted, taken.is_open, rounds.route_id, routes.name as route_name,
          case when visitor.name is not null then v.user_id end as technician_id,
          first_value(visitor.name) over (partition by v.merchant_id, v.user_id order by v.at desc, v.id desc) as technician_name
        from visits v
        join merchants m on m.id = v.merchant_id and ${db.narrow('merchants', 'm')}
        cross join lateral ${handledPieces(db, 'v')} handled
        cross join lateral (select ${redactedName(sql`v.user_id`, sql`v.user_name`, hidden)} as name) visitor
        left join lateral ${collectedBy(db, 'v')} taken on true
        left join rounds on ${db.own('rounds')} and rounds.merchant_id = v.merchant_id and rounds.id = v.round_id
        left join routes on ${db.own('routes')} and routes.merchant_id = v.merchant_id and routes.id = rounds.route_id
        where ${db.narrow('visits', 'v')} and ${hasFeature(db, 'productStock', 'v')}
          and v.at >= start_of_day(${startDate}::date, m.time_zone) and v.at < start_of_day(${endDate}::date + 1, m.time_zone)
          and ${anyOf('v.machine_id', posIds, 'uuid')}
          and ${wasAt(db, order, { merchantId: sql`v.merchant_id`, machineId: sql`v.machine_id`, day })}`,
      sums: {
        visits: sql`count(*)`,
        loaded: sql`sum(x.loaded)::bigint`,
        wastedPieces: sql`sum(x.waste)::bigint`,
        counted: sql`sum(x.counted)::bigint`,
        uncounted: sql`count(*) filter (where x.is_open)`,
        ...(order.withCosts && {
          costedVisits: sql`count(x.cost)`,
          visitCost: sql`coalesce(sum(x.cost), 0)::bigint`,
          costedPieces: sql`sum(x.costed_waste)::bigint`,
          wasted: sql`coalesce(sum(x.wasted), 0)::bigint`,
        }),
      },
    },
    { limit, isOfDay },
  )
}
