import type pg from 'pg'
import { amounts } from '#database/sums/group-hours.ts'
import { sumUpGroups } from '#demo/history/sum-up-groups.ts'
import { manyMachines } from '../many-machines.ts'
import { indexesAside } from './grow.ts'

export interface Sellers {
  machines: number
  groups: number
  /** Days with sales, and selling hours per day. There are two sales an hour, each with another product. */
  days: number
  hours: number
}

const codes = 'h.type, h.media_type, h.media_source'
const sums = amounts.map((name) => `sum(h.${name})`).join(', ')
const names = amounts.join(', ')

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
  const withoutIndexes = await indexesAside(owner, ['sales_hourly', 'sales_daily', 'product_sales_daily'])
  await owner.query(
    `insert into sales_hourly (merchant_id, hour, machine_id, type, media_type, media_source, price_table, product, count, value,
        value_charge, free_count, error_count)
      select p.merchant_id, at.hour, p.id, 1, 1 + (p.number + at.number + product.n) % 3, 0, -1, 'Product ' || (p.number + product.n) % 24,
        1 + p.number % 3, 50 * (1 + p.number % 3), 0, 0, 0
      from (select date_trunc('hour', now()) - (day.n * 24 + hour.n) * interval '1 hour' as hour, day.n * 24 + hour.n as number
        from generate_series(0, $2::int - 1) day (n) cross join generate_series(0, $3::int - 1) hour (n)) at
      cross join (select merchant_id, id, right(serial, 5)::int as number from machines where merchant_id = $1 and serial like 'ROW-%') p
      cross join generate_series(1, 2) product (n)`,
    [merchantId, size.days, size.hours],
  )
  for (const [table, more] of [
    ['sales_daily', ''],
    ['product_sales_daily', ', h.price_table, h.product'],
  ] as const)
    await owner.query(
      `insert into ${table} (merchant_id, day, machine_id, ${`${codes}${more}`.replaceAll('h.', '')}, ${names})
        select h.merchant_id, (h.hour at time zone m.time_zone)::date, h.machine_id, ${codes}${more}, ${sums}
        from sales_hourly h join merchants m on m.id = h.merchant_id
        join machines p on p.merchant_id = h.merchant_id and p.id = h.machine_id and p.serial like 'ROW-%'
        where h.merchant_id = $1 and (h.hour at time zone m.time_zone)::date in (select day from summed_days s where s.merchant_id = $1)
        group by h.merchant_id, (h.hour at time zone m.time_zone)::date, h.machine_id, ${codes}${more}`,
      [merchantId],
    )
  await owner.query('truncate group_sales_hourly, group_sales_daily')
  await sumUpGroups(owner, 'hour', 'true')
  await sumUpGroups(owner, 'day', 'true')
  await withoutIndexes.restore()
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ machines: string; hours: string; groups: string }>(
    `select (select count(*) from machines) as machines, (select count(*) from sales_hourly) as hours,
      (select count(*) from group_sales_hourly) as groups`,
  )
  const { machines, hours, groups } = rows[0] ?? {}
  return `a copy of the database was grown to ${machines} machines with ${hours} hourly sums, and ${groups} of groups`
}
