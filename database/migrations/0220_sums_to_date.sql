-- Sums from the first of the month to a day: a period of any length is the difference of a few of them, so figures of ten thousand
-- machines need not add up their days. They hold what is packed; open hours are added by readers. Every day with sales has rows of all
-- machines, or places, that have sold in its month so far.

create table machine_sales_to_date (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  error_value bigint not null,
  cash_value bigint not null,
  -- The same of vends alone.
  sold_count bigint not null,
  sold_value bigint not null,
  sold_value_charge bigint not null,
  sold_free_count bigint not null,
  sold_error_count bigint not null,
  sold_error_value bigint not null,
  sold_cash_value bigint not null,
  -- The money that machines paid back, whatever the sign of its value.
  back bigint not null,
  primary key (merchant_id, day, machine_id)
);
call guard_tenant_table('machine_sales_to_date');
call read_scope_once('machine_sales_to_date');

-- The same by product, of the machines that were in a group and at a client when the day began; 00000000-…: without. Element by element: vends by
-- product, and what machines paid back for it. An amount without any value is null.
create table place_products_to_date (
  merchant_id uuid not null,
  day date not null,
  group_id uuid not null,
  client_id uuid not null,
  product text[] not null,
  count bigint[],
  value bigint[],
  free_count bigint[],
  error_count bigint[],
  back bigint[],
  primary key (merchant_id, day, group_id, client_id)
) with (toast_tuple_target = 256);
call guard_tenant_table('place_products_to_date');
call read_scope_once('place_products_to_date');

do $$ declare name text; begin
  foreach name in array array['product', 'count', 'value', 'free_count', 'error_count', 'back'] loop
    execute format('alter table place_products_to_date alter column %I set storage main', name);
  end loop;
end $$;

create temporary table days on commit drop as
select merchant_id, day, date_trunc('month', day)::date as month from sales_daily group by 1, 2;
analyze days;

create temporary table sold on commit drop as
select s.merchant_id, date_trunc('month', s.day)::date as month, s.day, s.machine_id,
  sum(s.count) as count,
  sum(s.value) as value,
  sum(s.value_charge) as value_charge,
  sum(s.free_count) as free_count,
  sum(s.error_count) as error_count,
  sum(s.error_value) as error_value,
  sum(s.cash_value) as cash_value,
  coalesce(sum(s.count) filter (where s.type in (1, 2, 14, 15)), 0) as sold_count,
  coalesce(sum(s.value) filter (where s.type in (1, 2, 14, 15)), 0) as sold_value,
  coalesce(sum(s.value_charge) filter (where s.type in (1, 2, 14, 15)), 0) as sold_value_charge,
  coalesce(sum(s.free_count) filter (where s.type in (1, 2, 14, 15)), 0) as sold_free_count,
  coalesce(sum(s.error_count) filter (where s.type in (1, 2, 14, 15)), 0) as sold_error_count,
  coalesce(sum(s.error_value) filter (where s.type in (1, 2, 14, 15)), 0) as sold_error_value,
  coalesce(sum(s.cash_value) filter (where s.type in (1, 2, 14, 15)), 0) as sold_cash_value,
  coalesce(sum(abs(s.value)) filter (where s.type in (6, 16)), 0) as back
from sales_daily s group by 1, 2, 3, 4;
analyze sold;

insert into machine_sales_to_date (merchant_id, day, machine_id, count, value, value_charge, free_count, error_count, error_value, cash_value,
  sold_count, sold_value, sold_value_charge, sold_free_count, sold_error_count,
  sold_error_value, sold_cash_value, back)
select d.merchant_id, d.day, k.machine_id, coalesce(sum(s.count) over w, 0),
  coalesce(sum(s.value) over w, 0),
  coalesce(sum(s.value_charge) over w, 0),
  coalesce(sum(s.free_count) over w, 0),
  coalesce(sum(s.error_count) over w, 0),
  coalesce(sum(s.error_value) over w, 0),
  coalesce(sum(s.cash_value) over w, 0),
  coalesce(sum(s.sold_count) over w, 0),
  coalesce(sum(s.sold_value) over w, 0),
  coalesce(sum(s.sold_value_charge) over w, 0),
  coalesce(sum(s.sold_free_count) over w, 0),
  coalesce(sum(s.sold_error_count) over w, 0),
  coalesce(sum(s.sold_error_value) over w, 0),
  coalesce(sum(s.sold_cash_value) over w, 0),
  coalesce(sum(s.back) over w, 0)
from days d
join (select merchant_id, month, machine_id, min(day) as first from sold group by 1, 2, 3) k on k.merchant_id = d.merchant_id
  and k.month = d.month and d.day >= k.first
left join sold s on s.merchant_id = d.merchant_id and s.day = d.day and s.machine_id = k.machine_id
window w as (partition by d.merchant_id, d.month, k.machine_id order by d.day)
order by 1, 2, 3;

create temporary table sold_at on commit drop as
select s.merchant_id, date_trunc('month', s.day)::date as month, s.day, w.group_id, w.client_id, s.product,
  coalesce(sum(s.count) filter (where s.type in (1, 2, 14, 15)), 0) as count,
  coalesce(sum(s.value) filter (where s.type in (1, 2, 14, 15)), 0) as value,
  coalesce(sum(s.free_count) filter (where s.type in (1, 2, 14, 15)), 0) as free_count,
  coalesce(sum(s.error_count) filter (where s.type in (1, 2, 14, 15)), 0) as error_count,
  coalesce(sum(abs(s.value)) filter (where s.type in (6, 16)), 0) as back
from product_sales_daily s
join machines p on p.merchant_id = s.merchant_id and p.id = s.machine_id
left join lateral (
  select f.group_id, f.client_id, true as was from former_machine_places f
  where f.merchant_id = s.merchant_id and f.machine_id = s.machine_id and f.until >= s.day order by f.until limit 1
) f on true
cross join lateral (
  select coalesce(case when f.was then f.group_id else p.group_id end, '00000000-0000-0000-0000-000000000000') as group_id,
    coalesce(case when f.was then f.client_id else p.client_id end, '00000000-0000-0000-0000-000000000000') as client_id
) w
where s.type in (1, 2, 14, 15, 6, 16)
group by 1, 2, 3, 4, 5, 6;
analyze sold_at;

insert into place_products_to_date (merchant_id, day, group_id, client_id, product, count, value, free_count, error_count, back)
select x.merchant_id, x.day, x.group_id, x.client_id, array_agg(x.product order by x.product),
  case when bool_or(x.count <> 0) then array_agg(x.count order by x.product) end,
  case when bool_or(x.value <> 0) then array_agg(x.value order by x.product) end,
  case when bool_or(x.free_count <> 0) then array_agg(x.free_count order by x.product) end,
  case when bool_or(x.error_count <> 0) then array_agg(x.error_count order by x.product) end,
  case when bool_or(x.back <> 0) then array_agg(x.back order by x.product) end
from (
  select d.merchant_id, d.day, k.group_id, k.client_id, k.product, coalesce(sum(s.count) over w, 0)::bigint as count,
    coalesce(sum(s.value) over w, 0)::bigint as value,
    coalesce(sum(s.free_count) over w, 0)::bigint as free_count,
    coalesce(sum(s.error_count) over w, 0)::bigint as error_count,
    coalesce(sum(s.back) over w, 0)::bigint as back
  from days d
  join (select distinct merchant_id, month, group_id, client_id, product from sold_at) k on k.merchant_id = d.merchant_id and k.month = d.month
  left join sold_at s on s.merchant_id = d.merchant_id and s.day = d.day and s.group_id = k.group_id and s.client_id = k.client_id
    and s.product = k.product
  window w as (partition by d.merchant_id, d.month, k.group_id, k.client_id, k.product order by d.day)
) x where (x.count, x.value, x.free_count, x.error_count, x.back) <> (0, 0, 0, 0, 0)
group by 1, 2, 3, 4 order by 1, 2, 3, 4;
