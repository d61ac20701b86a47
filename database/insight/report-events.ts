import { sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { alarmsMatching } from '../alarms/alarm.ts'
import { refundsMatching } from '../cashless/refund.ts'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { stretchesOf, stretchOf, wasAt } from '../sales/terms-of-day.ts'
import { filtersOf, groupedSums, needsMachine, type ReportOrder } from './report-grouping.ts'

/** The first days of the stretches of the period in which no machine changed its place; none where places of today count. */
const stretchesOfPlaces = async (db: TenantDb, order: ReportOrder): Promise<string[]> =>
  order.terms === 'ofDay' && needsMachine(order.by) ? stretchesOf(db, order, ['former_machine_places']) : []

/** The merchant's day of a row of a table. */
const dayOf = (table: 'alarms' | 'refund') =>
  sql`(${sql.ref(`${table}.created_at`)} at time zone merchants.time_zone)::date`.as('day')

/** Alarms that began in the period, as the list of alarms has them. */
export async function alarmsByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const matching = await alarmsMatching(db, { ...filtersOf(order), terms: order.terms })
  const facts = matching()
    .select([
      'alarms.merchant_id',
      'alarms.machine_id',
      'alarms.code',
      'alarms.criticity',
      'alarms.status',
      'alarms.count',
    ])
    .select(dayOf('alarms'))
  return groupedSums(
    db,
    order,
    {
      facts: sql`${facts}`,
      sums: {
        alarms: sql`count(*)`,
        blocking: sql`count(*) filter (where x.criticity = ${sql.lit(alarmCriticities.blocking)})`,
        occurrences: sql`sum(x.count)::bigint`,
        open: sql`count(*) filter (where x.status in ('active', 'notification'))`,
      },
    },
    { limit, isOfDay: (await stretchesOfPlaces(db, order)).length > 0 },
  )
}

/** Accepted and rejected cash of the period, from its hourly sums. */
export async function cashByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { startDate, endDate, posIds } = order
  const stretches = await stretchesOfPlaces(db, order)
  const isOfDay = stretches.length > 0
  const day = sql`(c.hour at time zone m.time_zone)::date`
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select m.id as merchant_id, c.machine_id, c.denomination, c.accepted, c.rejected, c.day
        from merchants m cross join lateral (
          select c.machine_id, c.denomination, ${isOfDay ? stretchOf(stretches, day) : sql`null::date`} as day,
            sum(c.accepted) as accepted, sum(c.rejected) as rejected from cash_hourly c
          where ${db.narrow('cash_hourly', 'c')} and c.merchant_id = m.id
            and c.hour >= start_of_day(${startDate}::date, m.time_zone) and c.hour < start_of_day(${endDate}::date + 1, m.time_zone)
            and ${anyOf('c.machine_id', posIds, 'uuid')}
            and ${wasAt(db, order, { merchantId: sql`c.merchant_id`, machineId: sql`c.machine_id`, day })}
          group by 1, 2, 3 offset 0
        ) c
        where ${db.narrow('merchants', 'm')}`,
      sums: {
        cashValue: sql`sum(x.denomination * x.accepted)::bigint`,
        accepted: sql`sum(x.accepted)::bigint`,
        rejected: sql`sum(x.rejected)::bigint`,
      },
    },
    { limit, isOfDay },
  )
}

/** Refunds given in the period, as the list of refunds has them. Machines outside the reader's groups are not named. */
export async function refundsByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const matching = await refundsMatching(db, { ...filtersOf(order), terms: order.terms })
  const facts = matching()
    .select(['refund.merchant_id', 'machine.id as machine_id', 'refund.kind', 'refund.state', 'refund.amount'])
    .select(dayOf('refund'))
  return groupedSums(
    db,
    order,
    { facts: sql`${facts}`, sums: { refunds: sql`count(*)`, given: sql`sum(x.amount)::bigint` } },
    { limit, isOfDay: (await stretchesOfPlaces(db, order)).length > 0 },
  )
}
