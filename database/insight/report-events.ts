import { sql } from 'kysely'
import type { SummedRow } from '#domain/insight/report.ts'
import { alarmsMatching } from '../alarms/alarm.ts'
import { refundsMatching } from '../cashless/refund.ts'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { filtersOf, groupedSums, type ReportOrder } from './report-grouping.ts'

/** Alarms that began in the period, as the list of alarms has them. */
export async function alarmsByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const matching = await alarmsMatching(db, filtersOf(order))
  const facts = matching().select([
    'alarms.merchant_id',
    'alarms.machine_id',
    'alarms.code',
    'alarms.criticity',
    'alarms.status',
    'alarms.count',
  ])
  return groupedSums(
    db,
    order,
    {
      facts: sql`${facts}`,
      sums: {
        alarms: sql`count(*)`,
        blocking: sql`count(*) filter (where x.criticity = 4)`,
        occurrences: sql`sum(x.count)::bigint`,
        open: sql`count(*) filter (where x.status in ('active', 'notification'))`,
      },
    },
    { limit },
  )
}

/** Accepted and rejected cash of the period, from its hourly sums. */
export function cashByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { startDate, endDate, groupIds, clientIds, posIds } = order
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select m.id as merchant_id, c.machine_id, c.denomination, c.accepted, c.rejected
        from merchants m cross join lateral (
          select c.machine_id, c.denomination, sum(c.accepted) as accepted, sum(c.rejected) as rejected from cash_hourly c
          where ${db.narrow('cash_hourly', 'c')} and c.merchant_id = m.id
            and c.hour >= start_of_day(${startDate}::date, m.time_zone) and c.hour < start_of_day(${endDate}::date + 1, m.time_zone)
            and ${anyOf('c.machine_id', posIds, 'uuid')}
            and ${
              groupIds?.length || clientIds?.length
                ? sql`c.machine_id in (select own.id from machines own where ${db.own('own')} and own.merchant_id = c.merchant_id
                    and ${anyOf('own.group_id', groupIds, 'uuid')} and ${anyOf('own.client_id', clientIds, 'uuid')})`
                : sql`true`
            }
          group by 1, 2 offset 0
        ) c
        where ${db.narrow('merchants', 'm')}`,
      sums: {
        cashValue: sql`sum(x.denomination * x.accepted)::bigint`,
        accepted: sql`sum(x.accepted)::bigint`,
        rejected: sql`sum(x.rejected)::bigint`,
      },
    },
    { limit },
  )
}

/** Refunds given in the period, as the list of refunds has them. Machines outside the reader's groups are not named. */
export async function refundsByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const matching = await refundsMatching(db, filtersOf(order))
  const facts = matching().select([
    'refund.merchant_id',
    'machine.id as machine_id',
    'refund.kind',
    'refund.state',
    'refund.amount',
  ])
  return groupedSums(
    db,
    order,
    { facts: sql`${facts}`, sums: { refunds: sql`count(*)`, given: sql`sum(x.amount)::bigint` } },
    { limit },
  )
}
