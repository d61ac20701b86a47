import type pg from 'pg'
import { countedAmounts } from '#database/sums/counted-amounts.ts'
import { storeEndedGroupSums, storeEndedMachineSums } from '#demo/history/store-sums.ts'

/**
 * Adds sales of all machines, spread evenly over `days` before the demo's first day, with the hourly and daily sums of the
 * gateway and the worker. Indexes are created at the end, because updating them row by row takes several times as long.
 */
export async function growTransactions(
  owner: pg.Client,
  { days, rows }: { days: number; rows: number },
): Promise<string> {
  await owner.query(`set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  const { rows: ends } = await owner.query<{ at: Date }>(
    `select date_trunc('day', least(min(day), current_date)) - interval '2 days' as at from sales_daily`,
  )
  const end = ends[0]?.at as Date
  const begin = new Date(end.getTime() - days * 86_400_000)
  await owner.query(`select ensure_partitions($1::timestamptz - interval '2 days', now() + interval '40 days')`, [
    begin,
  ])
  const withoutIndexes = await indexesAside(owner, ['transactions', 'packed_sales_days', 'sales_daily'])
  await owner.query(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, price_line, free_sale,
      error_sale, value, value_charge, seq, epoch, product)
    select s.merchant_id, s.at, gen_random_uuid(), s.machine_id, s.at, 1, case when s.chance < 0.6 then 1 when s.chance < 0.9 then 2 else 3 end,
      0, s.number, s.chance > 0.995, false, 50 + 5 * s.number, 0, null, null, 'Product ' || s.number
    from (
      select p.merchant_id, p.id as machine_id, $1::timestamptz + ((n + random()) / p.own) * ($2::timestamptz - $1::timestamptz) as at,
        random() as chance, floor(24 * random() ^ 2)::int as number
      from (select merchant_id, id, $3::int / count(*) over () as own from machines) p cross join lateral generate_series(0, p.own - 1) n
    ) s`,
    [begin, end, rows],
  )
  await owner.query(
    `create temporary table grown_hours as
    select t.merchant_id, (t.hour at time zone t.time_zone)::date as day, t.machine_id, t.hour, t.type, t.media_type, t.media_source,
      -1::smallint as price_table, t.product, ${countedAmounts('t')}
    from (
      select t.*, m.time_zone, date_trunc('hour', t.created_at, m.time_zone) as hour
      from transactions t join merchants m on m.id = t.merchant_id
      where t.created_at >= $1 and t.created_at < $2
    ) t
    group by 1, 2, 3, 4, 5, 6, 7, 9`,
    [begin, end],
  )
  await storeEndedMachineSums(owner, 'grown_hours')
  await storeEndedGroupSums(owner, 'grown_hours')
  await owner.query('drop table grown_hours')
  await owner.query(
    `insert into summed_days (merchant_id, day, summed_at, to_date_at)
    select distinct merchant_id, day, now(), now() from sales_daily on conflict do nothing`,
  )
  await withoutIndexes.restore()
  await owner.query('vacuum analyze')
  const { rows: counted } = await owner.query<{ raw: number; hours: number; daily: number }>(
    `select (select count(*) from transactions)::int as raw, (select count(*) from sales_hourly)::int as hours,
      (select count(*) from sales_daily)::int as daily`,
  )
  const { raw = 0, hours = 0, daily = 0 } = counted[0] ?? {}
  const text = (count: number) => count.toLocaleString('en')
  return `the database was grown to ${text(raw)} transactions with ${text(hours)} sums of hours and ${text(daily)} of days`
}

/** Drops the keys and indexes of some tables until `restore` creates them again. */
export async function indexesAside(owner: pg.Client, tables: readonly string[]): Promise<{ restore(): Promise<void> }> {
  const { rows } = await owner.query<{ drop: string; make: string }>(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
        else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
      case when c.oid is null then replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
        else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
    where i.indrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { drop } of rows) await owner.query(drop)
  return {
    async restore() {
      for (const { make } of rows) await owner.query(make)
    },
  }
}
