import { sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { alarmsMatching } from '../alarms/alarm.ts'
import { figuresOf } from '../cash/collection-figures.ts'
import { refundsMatching } from '../cashless/refund.ts'
import { anyOf } from '../frame/conditions.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { stretchesOf, stretchOf, wasAt } from '../sales/terms-of-day.ts'
import { filtersOf, groupedSums, needsMachine, type ReportOrder } from './report-grouping.ts'

/** The first days of the stretches of the period in which no machine changed its place; none where places of today count. */
export const stretchesOfPlaces = async (db: TenantDb, order: ReportOrder): Promise<string[]> =>
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

/**
 * Collections of the period, by who took the box: the technician whose visit reported it. What is expected is as the list of collections shows it; users
 * hidden from merchants are not named.
 */
export async function collectionsByGrouping(db: TenantDb, order: ReportOrder, limit: number): Promise<SummedRow[]> {
  const { startDate, endDate, posIds } = order
  const isOfDay = (await stretchesOfPlaces(db, order)).length > 0
  const hidden = await hiddenFrom(db, false)
  const day = sql`(c.at at time zone m.time_zone)::date`
  const isKnown = sql`x.counted is not null and x.expected is not null`
  return groupedSums(
    db,
    order,
    {
      facts: sql`
        select c.merchant_id, c.machine_id, ${day} as day, to_char(${day}, 'YYYYMM') as month, c.counted_total as counted, known.expected,
          case when visitor.name is not null then visitor.id end as collector_id,
          first_value(visitor.name) over (partition by c.merchant_id, visitor.id order by c.at desc) as collector_name
        from collections c
        join merchants m on m.id = c.merchant_id and ${db.narrow('merchants', 'm')}
        cross join lateral ${figuresOf(db)} known
        left join lateral (
          select s.user_id as id, ${redactedName(sql`s.user_id`, sql`s.user_name`, hidden)} as name from collection_sources s
          where ${db.own('s')} and s.merchant_id = c.merchant_id and s.collection_id = c.id and s.source = 'visit'
          order by s.at, s.source_id limit 1
        ) visitor on true
        where ${db.narrow('collections', 'c')}
          and c.at >= start_of_day(${startDate}::date, m.time_zone) and c.at < start_of_day(${endDate}::date + 1, m.time_zone)
          and ${anyOf('c.machine_id', posIds, 'uuid')}
          and ${wasAt(db, order, { merchantId: sql`c.merchant_id`, machineId: sql`c.machine_id`, day })}`,
      sums: {
        collections: sql`count(*)`,
        uncounted: sql`count(*) filter (where x.counted is null)`,
        counted: sql`sum(x.counted)::bigint`,
        expected: sql`(sum(x.expected) filter (where ${isKnown}))::bigint`,
        over: sql`(sum(greatest(x.counted - x.expected, 0)) filter (where ${isKnown}))::bigint`,
        short: sql`(sum(greatest(x.expected - x.counted, 0)) filter (where ${isKnown}))::bigint`,
      },
    },
    { limit, isOfDay },
  )
}
