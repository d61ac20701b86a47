-- Hours of sales, kept wide only while they change. The hours of days that have been summed up are packed into arrays, one row per day and
-- machine or group, which takes a fifteenth of the room. The views have the former tables' names and columns: packed hours, and
-- open hours that were added later.

alter table sales_hourly rename to former_sales_hourly;
alter table group_sales_hourly rename to former_group_sales_hourly;
alter table product_sales_daily rename to former_product_sales_daily;

-- Sums per machine and local hour of the merchant, written in the transaction that stores the rows: of days that have not been summed up, and
-- what came late. The key begins with the merchant's local day of the hour.
create table open_sales_hourly (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  hour timestamptz not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  -- -1 and '' for a sale without price list or product, because a key cannot hold null.
  price_table smallint not null default -1,
  product text not null default '',
  count int not null,
  value bigint not null,
  value_charge bigint not null,
  free_count int not null,
  error_count int not null,
  error_value bigint not null default 0,
  cash_value bigint not null default 0,
  primary key (merchant_id, day, machine_id, hour, type, media_type, media_source, price_table, product)
-- Updated by every batch, like the machine's row.
) with (fillfactor = 70);
call guard_tenant_table('open_sales_hourly');
call read_scope_once('open_sales_hourly');

-- The same per group and per merchant, without price list and product, in slots: see group_sales_hourly.
create table open_group_sales_hourly (
  merchant_id uuid not null,
  group_id uuid not null,
  day date not null,
  hour timestamptz not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  slot smallint not null default (pg_backend_pid() % 8),
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  error_value bigint not null default 0,
  cash_value bigint not null default 0,
  primary key (merchant_id, group_id, day, hour, type, media_type, media_source, slot)
) with (fillfactor = 50);
call guard_tenant_table('open_group_sales_hourly');
call read_scope_once('open_group_sales_hourly');
-- For packing or rewriting a day of all groups: queries select this index by "slot >= 0", which is always true. A query for one group should
-- not use it: it would read all groups.
create index open_group_sales_hourly_by_day on open_group_sales_hourly (merchant_id, day) where slot >= 0;

-- A machine's day: element by element its hours, as minutes after `starts_at`, and its kinds of sales and products, of the whole day. An
-- amount without any value in the day is null.
create table packed_sales_days (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  starts_at timestamptz not null,
  hour_minute smallint[] not null,
  hour_type smallint[] not null,
  hour_media_type smallint[] not null,
  hour_media_source smallint[] not null,
  hour_price_table smallint[] not null,
  hour_product text[] not null,
  hour_count int[],
  hour_value bigint[],
  hour_value_charge bigint[],
  hour_free_count int[],
  hour_error_count int[],
  hour_error_value bigint[],
  hour_cash_value bigint[],
  day_type smallint[] not null,
  day_media_type smallint[] not null,
  day_media_source smallint[] not null,
  day_price_table smallint[] not null,
  day_product text[] not null,
  day_count int[],
  day_value bigint[],
  day_value_charge bigint[],
  day_free_count int[],
  day_error_count int[],
  day_error_value bigint[],
  day_cash_value bigint[],
  primary key (merchant_id, day, machine_id)
-- Compressed in the row.
) with (toast_tuple_target = 256);
call guard_tenant_table('packed_sales_days');
call read_scope_once('packed_sales_days');

-- The hours of a day of a group or of the whole merchant.
create table packed_group_sales_days (
  merchant_id uuid not null,
  group_id uuid not null,
  day date not null,
  starts_at timestamptz not null,
  hour_minute smallint[] not null,
  hour_type smallint[] not null,
  hour_media_type smallint[] not null,
  hour_media_source smallint[] not null,
  hour_count bigint[],
  hour_value bigint[],
  hour_value_charge bigint[],
  hour_free_count bigint[],
  hour_error_count bigint[],
  hour_error_value bigint[],
  hour_cash_value bigint[],
  primary key (merchant_id, group_id, day)
) with (toast_tuple_target = 256);
call guard_tenant_table('packed_group_sales_days');
call read_scope_once('packed_group_sales_days');
create index packed_group_sales_days_by_day on packed_group_sales_days (merchant_id, day);

do $$ declare one record; begin
  for one in select attrelid::regclass as name, attname from pg_attribute
    where attrelid in ('packed_sales_days'::regclass, 'packed_group_sales_days'::regclass) and attndims > 0 loop
    execute format('alter table %s alter column %I set storage main', one.name, one.attname);
  end loop;
end $$;

-- What the whole merchant sold in a day, by kind, price list and product. Who sees some groups sees none of it.
create table merchant_products_daily (
  merchant_id uuid not null,
  day date not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  price_table smallint not null,
  product text not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  error_value bigint not null,
  cash_value bigint not null,
  primary key (merchant_id, day, type, media_type, media_source, price_table, product)
);
call guard_tenant_table('merchant_products_daily');
call read_scope_once('merchant_products_daily');

create view sales_hourly with (security_invoker = true) as
select o.merchant_id, o.day, o.machine_id, o.hour, o.type, o.media_type, o.media_source, o.price_table, o.product, o.count, o.value,
  o.value_charge, o.free_count, o.error_count, o.error_value, o.cash_value
from open_sales_hourly o
union all
select x.merchant_id, x.day, x.machine_id, x.starts_at + x.minute * interval '1 minute' as hour, x.type, x.media_type, x.media_source,
  x.price_table, x.product, coalesce(x.count, 0) as count, coalesce(x.value, 0) as value, coalesce(x.value_charge, 0) as value_charge,
  coalesce(x.free_count, 0) as free_count, coalesce(x.error_count, 0) as error_count, coalesce(x.error_value, 0) as error_value,
  coalesce(x.cash_value, 0) as cash_value
from (
  select p.merchant_id, p.day, p.machine_id, p.starts_at, unnest(p.hour_minute) as minute, unnest(p.hour_type) as type,
    unnest(p.hour_media_type) as media_type, unnest(p.hour_media_source) as media_source, unnest(p.hour_price_table) as price_table,
    unnest(p.hour_product) as product, unnest(p.hour_count) as count, unnest(p.hour_value) as value,
    unnest(p.hour_value_charge) as value_charge, unnest(p.hour_free_count) as free_count, unnest(p.hour_error_count) as error_count,
    unnest(p.hour_error_value) as error_value, unnest(p.hour_cash_value) as cash_value
  from packed_sales_days p
) x;

create view product_sales_daily with (security_invoker = true) as
select x.merchant_id, x.day, x.machine_id, x.type, x.media_type, x.media_source, x.price_table, x.product, coalesce(x.count, 0) as count,
  coalesce(x.value, 0) as value, coalesce(x.value_charge, 0) as value_charge, coalesce(x.free_count, 0) as free_count,
  coalesce(x.error_count, 0) as error_count, coalesce(x.error_value, 0) as error_value, coalesce(x.cash_value, 0) as cash_value
from (
  select p.merchant_id, p.day, p.machine_id, unnest(p.day_type) as type, unnest(p.day_media_type) as media_type,
    unnest(p.day_media_source) as media_source, unnest(p.day_price_table) as price_table, unnest(p.day_product) as product,
    unnest(p.day_count) as count, unnest(p.day_value) as value, unnest(p.day_value_charge) as value_charge,
    unnest(p.day_free_count) as free_count, unnest(p.day_error_count) as error_count, unnest(p.day_error_value) as error_value,
    unnest(p.day_cash_value) as cash_value
  from packed_sales_days p
) x;

create view group_sales_hourly with (security_invoker = true) as
select o.merchant_id, o.group_id, o.day, o.hour, o.type, o.media_type, o.media_source, o.slot, o.count, o.value, o.value_charge,
  o.free_count, o.error_count, o.error_value, o.cash_value
from open_group_sales_hourly o
union all
select x.merchant_id, x.group_id, x.day, x.starts_at + x.minute * interval '1 minute' as hour, x.type, x.media_type, x.media_source,
  0::smallint as slot, coalesce(x.count, 0) as count, coalesce(x.value, 0) as value, coalesce(x.value_charge, 0) as value_charge,
  coalesce(x.free_count, 0) as free_count, coalesce(x.error_count, 0) as error_count, coalesce(x.error_value, 0) as error_value,
  coalesce(x.cash_value, 0) as cash_value
from (
  select p.merchant_id, p.group_id, p.day, p.starts_at, unnest(p.hour_minute) as minute, unnest(p.hour_type) as type,
    unnest(p.hour_media_type) as media_type, unnest(p.hour_media_source) as media_source, unnest(p.hour_count) as count,
    unnest(p.hour_value) as value, unnest(p.hour_value_charge) as value_charge, unnest(p.hour_free_count) as free_count,
    unnest(p.hour_error_count) as error_count, unnest(p.hour_error_value) as error_value, unnest(p.hour_cash_value) as cash_value
  from packed_group_sales_days p
) x;

grant select on sales_hourly, product_sales_daily, group_sales_hourly to gettone_app, gettone_system;


-- The days that have been summed up are packed; all other hours stay open.
create temporary table former on commit drop as
select (h.hour at time zone m.time_zone)::date as day, h.*
from former_sales_hourly h join merchants m on m.id = h.merchant_id;
create temporary table closed on commit drop as
select s.merchant_id, s.day from summed_days s;
analyze former;
analyze closed;

insert into open_sales_hourly (merchant_id, day, machine_id, hour, type, media_type, media_source, price_table, product, count, value,
  value_charge, free_count, error_count, error_value, cash_value)
select f.merchant_id, f.day, f.machine_id, f.hour, f.type, f.media_type, f.media_source, f.price_table, f.product, f.count, f.value,
  f.value_charge, f.free_count, f.error_count, f.error_value, f.cash_value
from former f left join closed c on c.merchant_id = f.merchant_id and c.day = f.day where c.day is null;

insert into packed_sales_days (merchant_id, day, machine_id, starts_at, hour_minute, hour_type, hour_media_type, hour_media_source,
  hour_price_table, hour_product, hour_count, hour_value, hour_value_charge, hour_free_count, hour_error_count, hour_error_value,
  hour_cash_value, day_type, day_media_type, day_media_source, day_price_table, day_product, day_count, day_value, day_value_charge,
  day_free_count, day_error_count, day_error_value, day_cash_value)
select hours.*, days.day_type, days.day_media_type, days.day_media_source, days.day_price_table, days.day_product, days.day_count,
  days.day_value, days.day_value_charge, days.day_free_count, days.day_error_count, days.day_error_value, days.day_cash_value
from (
  select h.merchant_id, h.day, h.machine_id, min(h.hour),
    array_agg((extract(epoch from h.hour - h.starts_at) / 60)::smallint order by h.hour, h.type, h.media_type, h.media_source,
    h.price_table, h.product), array_agg(h.type order by h.hour, h.type, h.media_type, h.media_source, h.price_table, h.product),
    array_agg(h.media_type order by h.hour, h.type, h.media_type, h.media_source, h.price_table, h.product),
    array_agg(h.media_source order by h.hour, h.type, h.media_type, h.media_source, h.price_table, h.product),
    array_agg(h.price_table order by h.hour, h.type, h.media_type, h.media_source, h.price_table, h.product),
    array_agg(h.product order by h.hour, h.type, h.media_type, h.media_source, h.price_table, h.product),
    case when bool_or(h.count <> 0) then array_agg(h.count order by h.hour, h.type, h.media_type, h.media_source, h.price_table,
    h.product) end, case when bool_or(h.value <> 0) then array_agg(h.value order by h.hour, h.type, h.media_type, h.media_source,
    h.price_table, h.product) end, case when bool_or(h.value_charge <> 0) then array_agg(h.value_charge order by h.hour, h.type,
    h.media_type, h.media_source, h.price_table, h.product) end,
    case when bool_or(h.free_count <> 0) then array_agg(h.free_count order by h.hour, h.type, h.media_type, h.media_source, h.price_table,
    h.product) end, case when bool_or(h.error_count <> 0) then array_agg(h.error_count order by h.hour, h.type, h.media_type,
    h.media_source, h.price_table, h.product) end, case when bool_or(h.error_value <> 0) then array_agg(h.error_value order by h.hour,
    h.type, h.media_type, h.media_source, h.price_table, h.product) end,
    case when bool_or(h.cash_value <> 0) then array_agg(h.cash_value order by h.hour, h.type, h.media_type, h.media_source, h.price_table,
    h.product) end
  from (
    select s.*, min(s.hour) over (partition by s.merchant_id, s.day, s.machine_id) as starts_at
    from former s join closed c on c.merchant_id = s.merchant_id and c.day = s.day
  ) h group by 1, 2, 3
) hours (merchant_id, day, machine_id, starts_at, hour_minute, hour_type, hour_media_type, hour_media_source, hour_price_table,
  hour_product, hour_count, hour_value, hour_value_charge, hour_free_count, hour_error_count, hour_error_value, hour_cash_value)
join (
  select d.merchant_id, d.day, d.machine_id, array_agg(d.type order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) as day_type, array_agg(d.media_type order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) as day_media_type, array_agg(d.media_source order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) as day_media_source, array_agg(d.price_table order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) as day_price_table, array_agg(d.product order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) as day_product, case when bool_or(d.count <> 0) then array_agg(d.count order by d.type, d.media_type, d.media_source,
    d.price_table, d.product) end as day_count, case when bool_or(d.value <> 0) then array_agg(d.value order by d.type, d.media_type,
    d.media_source, d.price_table, d.product) end as day_value,
    case when bool_or(d.value_charge <> 0) then array_agg(d.value_charge order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) end as day_value_charge, case when bool_or(d.free_count <> 0) then array_agg(d.free_count order by d.type, d.media_type,
    d.media_source, d.price_table, d.product) end as day_free_count,
    case when bool_or(d.error_count <> 0) then array_agg(d.error_count order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) end as day_error_count, case when bool_or(d.error_value <> 0) then array_agg(d.error_value order by d.type, d.media_type,
    d.media_source, d.price_table, d.product) end as day_error_value,
    case when bool_or(d.cash_value <> 0) then array_agg(d.cash_value order by d.type, d.media_type, d.media_source, d.price_table,
    d.product) end as day_cash_value
  from (
    select s.merchant_id, s.day, s.machine_id, s.type, s.media_type, s.media_source, s.price_table, s.product, sum(s.count)::int as count,
      sum(s.value)::bigint as value, sum(s.value_charge)::bigint as value_charge, sum(s.free_count)::int as free_count,
      sum(s.error_count)::int as error_count, sum(s.error_value)::bigint as error_value, sum(s.cash_value)::bigint as cash_value
    from former s join closed c on c.merchant_id = s.merchant_id and c.day = s.day group by 1, 2, 3, 4, 5, 6, 7, 8
  ) d group by 1, 2, 3
) days on days.merchant_id = hours.merchant_id and days.day = hours.day and days.machine_id = hours.machine_id;

insert into merchant_products_daily (merchant_id, day, type, media_type, media_source, price_table, product, count, value, value_charge,
  free_count, error_count, error_value, cash_value)
select s.merchant_id, s.day, s.type, s.media_type, s.media_source, s.price_table, s.product, sum(s.count), sum(s.value),
  sum(s.value_charge), sum(s.free_count), sum(s.error_count), sum(s.error_value), sum(s.cash_value)
from former_product_sales_daily s group by 1, 2, 3, 4, 5, 6, 7;

create temporary table former_groups on commit drop as
select (h.hour at time zone m.time_zone)::date as day, h.*
from former_group_sales_hourly h join merchants m on m.id = h.merchant_id;
analyze former_groups;

insert into open_group_sales_hourly (merchant_id, group_id, day, hour, type, media_type, media_source, slot, count, value, value_charge,
  free_count, error_count, error_value, cash_value)
select f.merchant_id, f.group_id, f.day, f.hour, f.type, f.media_type, f.media_source, f.slot, f.count, f.value, f.value_charge,
  f.free_count, f.error_count, f.error_value, f.cash_value
from former_groups f left join closed c on c.merchant_id = f.merchant_id and c.day = f.day where c.day is null;

insert into packed_group_sales_days (merchant_id, group_id, day, starts_at, hour_minute, hour_type, hour_media_type, hour_media_source,
  hour_count, hour_value, hour_value_charge, hour_free_count, hour_error_count, hour_error_value, hour_cash_value)
select h.merchant_id, h.group_id, h.day, min(h.hour), array_agg((extract(epoch from h.hour - h.starts_at) / 60)::smallint order by h.hour,
  h.type, h.media_type, h.media_source), array_agg(h.type order by h.hour, h.type, h.media_type, h.media_source),
  array_agg(h.media_type order by h.hour, h.type, h.media_type, h.media_source), array_agg(h.media_source order by h.hour, h.type,
  h.media_type, h.media_source), case when bool_or(h.count <> 0) then array_agg(h.count order by h.hour, h.type, h.media_type,
  h.media_source) end, case when bool_or(h.value <> 0) then array_agg(h.value order by h.hour, h.type, h.media_type, h.media_source) end,
  case when bool_or(h.value_charge <> 0) then array_agg(h.value_charge order by h.hour, h.type, h.media_type, h.media_source) end,
  case when bool_or(h.free_count <> 0) then array_agg(h.free_count order by h.hour, h.type, h.media_type, h.media_source) end,
  case when bool_or(h.error_count <> 0) then array_agg(h.error_count order by h.hour, h.type, h.media_type, h.media_source) end,
  case when bool_or(h.error_value <> 0) then array_agg(h.error_value order by h.hour, h.type, h.media_type, h.media_source) end,
  case when bool_or(h.cash_value <> 0) then array_agg(h.cash_value order by h.hour, h.type, h.media_type, h.media_source) end
from (
  select s.*, min(s.hour) over (partition by s.merchant_id, s.group_id, s.day) as starts_at
  from (
    select f.merchant_id, f.group_id, f.day, f.hour, f.type, f.media_type, f.media_source, sum(f.count)::bigint as count,
      sum(f.value)::bigint as value, sum(f.value_charge)::bigint as value_charge, sum(f.free_count)::bigint as free_count,
      sum(f.error_count)::bigint as error_count, sum(f.error_value)::bigint as error_value, sum(f.cash_value)::bigint as cash_value
    from former_groups f join closed c on c.merchant_id = f.merchant_id and c.day = f.day group by 1, 2, 3, 4, 5, 6, 7
  ) s
) h group by 1, 2, 3;

drop table former_sales_hourly;
drop table former_group_sales_hourly;
drop table former_product_sales_daily;
