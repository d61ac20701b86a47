-- What paid a transaction, and sums of the money in cash and of failed vends: a recharge of a key is paid in cash though its medium is the
-- key, and a failed vend is no turnover though it may have been charged.

-- What the machine says; null: it does not say, and paid_with() concludes it.
alter table transactions add column paid_with smallint;

-- The medium type that paid: paidWithOf() of the domain. One expression, so that it is inlined.
create function paid_with(type int, media_type int, media_source int, said int) returns int language sql immutable parallel safe as $$
  select case
    when said is not null then said
    when type in (7, 8, 9, 10, 11, 12) then 1
    when media_type in (0, 2, 3, 4, 7) and (type = 4 or media_source in (1, 2)) then 1
    else media_type end
$$;

-- Coins and notes that a transaction brings into the machine, negative if they leave it: cashMoved() of the domain.
create function cash_moved(type int, media_type int, media_source int, said int, failed boolean, value bigint) returns bigint
  language sql immutable parallel safe as $$
  select case
    when paid_with(type, media_type, media_source, said) <> 1 then 0
    when type in (1, 4, 7, 9, 11, 14, 15, 107, 109) then value
    when type in (6, 8, 10, 12, 16, 108) and not failed then -abs(value)
    else 0 end
$$;

-- `value` is without failed transactions, whose money is `error_value`. `cash_value` is the part of both that moved in cash.
alter table sales_hourly add column error_value bigint not null default 0, add column cash_value bigint not null default 0;
alter table sales_daily add column error_value bigint not null default 0, add column cash_value bigint not null default 0;
alter table product_sales_daily add column error_value bigint not null default 0, add column cash_value bigint not null default 0;
alter table group_sales_hourly add column error_value bigint not null default 0, add column cash_value bigint not null default 0;
alter table group_sales_daily add column error_value bigint not null default 0, add column cash_value bigint not null default 0;

-- The money of failed transactions by hour. It is counted from rows where they exist. Before, it is known where all transactions of a sum
-- failed; other sums keep it in their value. Only sums with failed transactions are compared with rows.
create temporary table failed on commit drop as
select h.merchant_id, h.machine_id, h.hour, (h.hour at time zone m.time_zone)::date as day, h.type, h.media_type, h.media_source, h.price_table,
  h.product, case when h.error_count = h.count then h.value else (
    select coalesce(sum(t.value), 0) from transactions t
    where t.merchant_id = h.merchant_id and t.machine_id = h.machine_id
      and t.created_at >= h.hour and t.created_at < h.hour + interval '1 hour'
      and t.error_sale and t.type = h.type
      and t.media_type = h.media_type and t.media_source = h.media_source and coalesce(t.price_table, -1) = h.price_table
      and coalesce(t.product, t.product_code, '') = h.product) end as value
from sales_hourly h join merchants m on m.id = h.merchant_id
where h.error_count > 0 and h.value <> 0;
delete from failed where value = 0;
analyze failed;

update sales_hourly s set value = s.value - f.value, error_value = f.value from failed f
where s.merchant_id = f.merchant_id and s.hour = f.hour and s.machine_id = f.machine_id and s.type = f.type and s.media_type = f.media_type
  and s.media_source = f.media_source and s.price_table = f.price_table and s.product = f.product;

update sales_daily s set value = s.value - f.value, error_value = f.value
from (select merchant_id, day, machine_id, type, media_type, media_source, sum(value) as value from failed group by 1, 2, 3, 4, 5, 6) f
where s.merchant_id = f.merchant_id and s.day = f.day and s.machine_id = f.machine_id and s.type = f.type and s.media_type = f.media_type
  and s.media_source = f.media_source;

update product_sales_daily s set value = s.value - f.value, error_value = f.value
from (select merchant_id, day, machine_id, type, media_type, media_source, price_table, product, sum(value) as value from failed
  group by 1, 2, 3, 4, 5, 6, 7, 8) f
where s.merchant_id = f.merchant_id and s.day = f.day and s.machine_id = f.machine_id and s.type = f.type and s.media_type = f.media_type
  and s.media_source = f.media_source and s.price_table = f.price_table and s.product = f.product;

-- No machine has said yet what paid, so the key of a sum says it.
do $$ declare name text; begin
  foreach name in array array['sales_hourly', 'sales_daily', 'product_sales_daily'] loop
    execute format('update %I set cash_value = cash_moved(type, media_type, media_source, null, false, value)
        + cash_moved(type, media_type, media_source, null, true, error_value)
      where paid_with(type, media_type, media_source, null) = 1
        and type in (1, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 107, 108, 109) and (value <> 0 or error_value <> 0)', name);
  end loop;
end $$;

-- Sums by group are those of the group under which a machine's sums are stored, and of the whole merchant. An hour is the sum of its slots, so
-- one slot takes the differences.
insert into group_sales_hourly as s (merchant_id, group_id, hour, type, media_type, media_source, slot, count, value, value_charge, free_count,
  error_count, error_value, cash_value)
select h.merchant_id, g.id, h.hour, h.type, h.media_type, h.media_source, 0, 0, -sum(h.error_value), 0, 0, 0, sum(h.error_value),
  sum(h.cash_value)
from sales_hourly h join machines p on p.merchant_id = h.merchant_id and p.id = h.machine_id
left join regrouped_machines r on r.merchant_id = h.merchant_id and r.machine_id = h.machine_id
cross join lateral (values
  (coalesce(case when r.machine_id is null then p.group_id else r.summed_group_id end, '00000000-0000-0000-0000-000000000000'::uuid)),
  ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) g (id)
where h.error_value <> 0 or h.cash_value <> 0
group by 1, 2, 3, 4, 5, 6
on conflict (merchant_id, group_id, hour, type, media_type, media_source, slot) do update set value = s.value + excluded.value,
  error_value = excluded.error_value, cash_value = excluded.cash_value;

update group_sales_daily s set value = s.value - f.error_value, error_value = f.error_value, cash_value = f.cash_value
from (
  select d.merchant_id, g.id as group_id, d.day, d.type, d.media_type, d.media_source, sum(d.error_value) as error_value,
    sum(d.cash_value) as cash_value
  from sales_daily d join machines p on p.merchant_id = d.merchant_id and p.id = d.machine_id
  left join regrouped_machines r on r.merchant_id = d.merchant_id and r.machine_id = d.machine_id
  cross join lateral (values
    (coalesce(case when r.machine_id is null then p.group_id else r.summed_group_id end, '00000000-0000-0000-0000-000000000000'::uuid)),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) g (id)
  where d.error_value <> 0 or d.cash_value <> 0
  group by 1, 2, 3, 4, 5, 6
) f
where s.merchant_id = f.merchant_id and s.group_id = f.group_id and s.day = f.day and s.type = f.type and s.media_type = f.media_type
  and s.media_source = f.media_source;
