-- Sums by merchant and group beside the sums by machine: a dashboard reads as few rows for ten thousand machines as for two hundred.

-- The hours of sales_hourly without machines and products, written in the same transaction. The group ffffffff-… is the whole merchant,
-- the group 00000000-… machines without a group, because a key cannot hold null. Each connection adds to an hour in its own slot, so that
-- transactions do not wait for each other; the hour is the sum of its slots, and a single slot may be negative.
create table group_sales_hourly (
  merchant_id uuid not null,
  group_id uuid not null,
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
  primary key (merchant_id, group_id, hour, type, media_type, media_source, slot)
) with (fillfactor = 50);
call guard_tenant_table('group_sales_hourly');
call read_scope_once('group_sales_hourly');
-- For rewriting a day of all groups, or merging it into one slot: queries select this index by "slot >= 0", which is always true. A query
-- for one group should not use it: it would read all groups.
create index group_sales_hourly_by_hour on group_sales_hourly (merchant_id, hour) where slot >= 0;

-- The same by local day: sales_daily without machines.
create table group_sales_daily (
  merchant_id uuid not null,
  group_id uuid not null,
  day date not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  primary key (merchant_id, day, group_id, type, media_type, media_source)
);
call guard_tenant_table('group_sales_daily');
call read_scope_once('group_sales_daily');

-- Machines whose sums are still stored under their former group; the worker moves them. Until then readers correct sums by these
-- machines' sales. Null: no former group.
create table regrouped_machines (
  merchant_id uuid not null,
  machine_id uuid not null,
  summed_group_id uuid,
  primary key (merchant_id, machine_id)
);
call guard_tenant_table('regrouped_machines');

-- The group under which a machine's sums are stored, read with the lock at the start of every ingest transaction.
alter table machine_journals add column summed_group_id uuid;
update machine_journals j set summed_group_id = m.group_id from machines m
  where m.merchant_id = j.merchant_id and m.id = j.machine_id and m.group_id is not null;

insert into group_sales_hourly (merchant_id, group_id, hour, type, media_type, media_source, slot, count, value, value_charge, free_count,
  error_count)
select h.merchant_id, g.id, h.hour, h.type, h.media_type, h.media_source, 0, sum(h.count), sum(h.value), sum(h.value_charge),
  sum(h.free_count), sum(h.error_count)
from sales_hourly h join machines m on m.merchant_id = h.merchant_id and m.id = h.machine_id
cross join lateral (values (coalesce(m.group_id, '00000000-0000-0000-0000-000000000000')), ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) g (id)
group by 1, 2, 3, 4, 5, 6;

insert into group_sales_daily (merchant_id, group_id, day, type, media_type, media_source, count, value, value_charge, free_count, error_count)
select d.merchant_id, g.id, d.day, d.type, d.media_type, d.media_source, sum(d.count), sum(d.value), sum(d.value_charge), sum(d.free_count),
  sum(d.error_count)
from sales_daily d join machines m on m.merchant_id = d.merchant_id and m.id = d.machine_id
cross join lateral (values (coalesce(m.group_id, '00000000-0000-0000-0000-000000000000')), ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) g (id)
group by 1, 2, 3, 4, 5, 6;

-- The instant since which all rows of a table exist; null: none were dropped. Earlier days cannot be counted from rows.
create function rows_since(name text) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp as $$
  select max(ends_at) from dropped_partitions where table_name = name
$$;
revoke execute on function rows_since from public;
grant create on schema public to gettone_system;
alter function rows_since owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function rows_since to gettone_app;
