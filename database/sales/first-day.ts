import { type RawBuilder, sql } from 'kysely'
import type { StatsFilters } from '#contract/sales/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { usualPeriods } from '#domain/time/comparison.ts'
import { eachOf } from '../frame/apart/apart.ts'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

interface FirstDay {
  merchantId: string
  currency: Currency
  /** A day of the merchant's calendar. */
  day: string
}

/**
 * The day on which the data of each merchant begin: its first day with sums. Of chosen machines it is the creation of the first of them, if
 * that is later. Merchants without data are left out. The cost does not depend on the history.
 */
export async function firstDays(
  db: TenantDb,
  { groupIds, clientIds, posIds }: Pick<StatsFilters, 'groupIds' | 'clientIds' | 'posIds'> = {},
): Promise<FirstDay[]> {
  const isChosen = [groupIds, clientIds, posIds].some((ids) => ids !== undefined && ids.length > 0)
  const earliest = sql`
    select (min(p.created_at) at time zone m.time_zone)::date as day from machines p
    where ${db.narrow('machinesEver', 'p')} and p.merchant_id = m.id and ${anyOf('p.id', posIds, 'uuid')}
      and ${anyOf('p.group_id', groupIds, 'uuid')} and ${anyOf('p.client_id', clientIds, 'uuid')} having count(*) > 0`
  const { rows } = await sql<FirstDay>`
    select m.id as "merchantId", m.currency, to_char(greatest(summed.day, chosen.day), 'YYYY-MM-DD') as day
    from merchants m
    cross join lateral (
      select coalesce(
        (select t.day from sales_daily t where ${db.own('t')} and t.merchant_id = m.id order by t.day limit 1),
        (select t.day from open_sales_hourly t where ${db.own('t')} and t.merchant_id = m.id order by t.day limit 1)) as day
    ) summed
    cross join lateral (${isChosen ? earliest : sql`select null::date as day`}) chosen
    where ${db.narrow('merchants', 'm')} and summed.day is not null`.execute(eachOf(db).query)
  return rows
}

/** The first day of all of them; null without data. */
export async function firstDayOf(db: TenantDb, filters?: Parameters<typeof firstDays>[1]): Promise<string | null> {
  const days = (await firstDays(db, filters)).map(({ day }) => day)
  return days.length === 0 ? null : days.reduce((first, day) => (day < first ? day : first))
}

/** How many of the last same weekdays of a merchant `m` have data, as `weeks`: those after its first day with sums. */
export const weeksWithData = (db: TenantDb, today: RawBuilder<unknown>) => sql`
  select count(*)::int as weeks from generate_series(1, ${sql.lit(usualPeriods)}) as past
  where ${today} - 7 * past > (
    select t.day from sales_daily t where ${db.own('t')} and t.merchant_id = m.id order by t.day limit 1)`
