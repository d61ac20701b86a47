import { sql } from 'kysely'
import { closingMs } from '#domain/time/period.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { isSale } from '../sales/sales.ts'

/** The sales of so many ended days are a machine's usual ones. */
export const usualDays = 28

/** Computes what the machines of a merchant sell on a usual day, from the days before `day`. */
async function writeUsualSales(db: TenantDb, merchantId: string, day: string): Promise<void> {
  const { rows } = await sql<{ id: string; perDay: number }>`
    select p.id, coalesce(sold.value, 0)::float8 / ${usualDays}::int as "perDay"
    from machines p
    left join (
      select d.machine_id, sum(d.value) as value from sales_daily d
      where ${db.own('d')} and d.merchant_id = ${merchantId} and d.day >= ${day}::date - ${usualDays}::int and d.day < ${day}::date
        and ${isSale('d')} group by 1
    ) sold on sold.machine_id = p.id
    where ${db.narrow('machines', 'p')} and p.merchant_id = ${merchantId} order by p.id`.execute(db.query)
  await insertRows(
    db.query,
    'machine_usual_sales',
    ['merchant_id', 'machine_id', 'day', 'per_day'],
    rows.map(({ id, perDay }) => [merchantId, id, day, perDay]),
    'on conflict (merchant_id, machine_id) do update set day = excluded.day, per_day = excluded.per_day',
  )
}

/** Computes the usual sales of merchants once a day, when their last day has been closed. */
export async function refreshUsualSales(doors: Doors, now: Date): Promise<void> {
  const closed = new Date(now.getTime() - closingMs)
  const due = await doors.withSystem(
    'stock supplies',
    async (db) =>
      (
        await sql<{ merchantId: string; day: string }>`
          select m.id as "merchantId", (${closed}::timestamptz at time zone m.time_zone)::date::text as day
          from merchants m
          join (select p.merchant_id from machines p where p.deleted_at is null group by 1) owned on owned.merchant_id = m.id
          left join (select u.merchant_id, max(u.day) as day from machine_usual_sales u group by 1) known
            on known.merchant_id = owned.merchant_id
          where known.day is null or known.day < (${closed}::timestamptz at time zone m.time_zone)::date
          order by m.id`.execute(db)
      ).rows,
    'single statement',
  )
  for (const { merchantId, day } of due)
    await doors.withTenant([{ merchantId, groups: 'all' }], (db) => writeUsualSales(db, merchantId, day))
}
