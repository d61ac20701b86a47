import type pg from 'pg'
import {
  storeEndedGroupSums,
  storeEndedMachineSums,
  storeOpenGroupSums,
  storeOpenMachineSums,
} from '#demo/history/store-sums.ts'
import { manyMachines } from '../many-machines.ts'
import { indexesAside } from './grow.ts'

export interface Sellers {
  machines: number
  groups: number
  /** Days with sales, and selling hours per day. There are two sales an hour, each with another product. */
  days: number
  hours: number
}

/**
 * Adds machines to a merchant, in groups, some with open alarms, each with its own hourly and daily sums until now, as the
 * gateway and the worker create them. Their transactions are left out.
 */
export async function manySellers(owner: pg.Client, merchantId: string, size: Sellers): Promise<string> {
  await owner.query(`set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  await manyMachines((text, values) => owner.query(text, values), merchantId, size.machines)
  await owner.query(
    `insert into groups (merchant_id, id, name, created_at)
      select $1, gen_random_uuid(), 'Round ' || n, now() from generate_series(1, $2::int) n`,
    [merchantId, size.groups],
  )
  await owner.query(
    `update machines m set group_id = g.id from (
        select id, row_number() over (order by name) - 1 as place from groups where merchant_id = $1 and name like 'Round %') g
      where m.merchant_id = $1 and m.serial like 'ROW-%' and right(m.serial, 5)::int % $2 = g.place`,
    [merchantId, size.groups],
  )
  await owner.query(
    `insert into alarms (merchant_id, id, machine_id, code, source, category, criticity, status, count, created_at, last_at)
      select merchant_id, gen_random_uuid(), id, case pos_status when 3 then 'ENE' else 'EGS' end, 'bill', 'fault',
        case pos_status when 3 then 4 else 2 end, 'active', 1, now() - interval '5 hours', now() - interval '5 hours'
      from machines where merchant_id = $1 and serial like 'ROW-%' and pos_status > 1`,
    [merchantId],
  )
  const withoutIndexes = await indexesAside(owner, ['packed_sales_days', 'open_sales_hourly', 'sales_daily'])
  await owner.query(
    `create temporary table sold_hours as
      select p.merchant_id, (at.hour at time zone p.time_zone)::date as day, p.id as machine_id, at.hour, 1::smallint as type,
        (1 + (p.number + at.number + product.n) % 3)::smallint as media_type, 0::smallint as media_source, -1::smallint as price_table,
        'Product ' || (p.number + product.n) % 24 as product, 1 + p.number % 3 as count, 50 * (1 + p.number % 3)::bigint as value,
        0::bigint as value_charge, 0 as free_count, 0 as error_count, 0::bigint as error_value, 0::bigint as cash_value
      from (select date_trunc('hour', now()) - (day.n * 24 + hour.n) * interval '1 hour' as hour, day.n * 24 + hour.n as number
        from generate_series(0, $2::int - 1) day (n) cross join generate_series(0, $3::int - 1) hour (n)) at
      cross join (select p.merchant_id, p.id, right(p.serial, 5)::int as number, m.time_zone from machines p join merchants m on m.id = p.merchant_id
        where p.merchant_id = $1 and p.serial like 'ROW-%') p
      cross join generate_series(1, 2) product (n)`,
    [merchantId, size.days, size.hours],
  )
  const isEnded = 'exists (select from summed_days d where d.merchant_id = h.merchant_id and d.day = h.day)'
  await storeEndedMachineSums(owner, `(select * from sold_hours h where ${isEnded})`)
  await storeOpenMachineSums(owner, `(select * from sold_hours h where not ${isEnded})`)
  await withoutIndexes.restore()
  await owner.query(
    'truncate open_group_sales_hourly, packed_group_sales_days, group_sales_daily, merchant_products_daily; drop table sold_hours',
  )
  await storeEndedGroupSums(owner, `(select * from sales_hourly h where ${isEnded})`)
  await storeOpenGroupSums(owner, `(select * from sales_hourly h where not ${isEnded})`)
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ machines: string; hours: string; groups: string }>(
    `select (select count(*) from machines) as machines, (select count(*) from sales_hourly) as hours,
      (select count(*) from group_sales_hourly) as groups`,
  )
  const { machines, hours, groups } = rows[0] ?? {}
  return `a copy of the database was grown to ${machines} machines with ${hours} hourly sums, and ${groups} of groups`
}
