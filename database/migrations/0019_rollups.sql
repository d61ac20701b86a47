-- Sums that go further: by product and price list, by day, of what the cash devices took and refused, of the time in which a
-- machine could not sell; and partitions that come and go without holding anybody up.

-- A sale that names no product, or no price list: '' and -1, since a key knows no null.
alter table sales_hourly
  add column price_table smallint not null default -1,
  add column product text not null default '';
alter table sales_hourly drop constraint sales_hourly_pkey;
alter table sales_hourly
  add primary key (merchant_id, hour, machine_id, type, media_type, media_source, price_table, product);

-- What the cash devices took and refused, by denomination (minor units). Kept in the transaction that stores the readings.
create table cash_hourly (
  merchant_id uuid not null,
  hour timestamptz not null,
  machine_id uuid not null,
  denomination bigint not null,
  accepted bigint not null,
  rejected bigint not null,
  primary key (merchant_id, hour, machine_id, denomination)
);
call guard_tenant_table('cash_hourly');
-- One machine over a long time.
create index cash_hourly_by_machine on cash_hourly (merchant_id, machine_id, hour);

-- When the portal did not hear a machine that it had heard before: from its last word on. Null: it goes on.
create table absences (
  merchant_id uuid not null,
  machine_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, machine_id, began_at),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('absences');
-- A machine is absent once at a time.
create unique index absences_open on absences (merchant_id, machine_id) where ended_at is null;
-- What reaches into a stretch of time, whatever the history.
create index absences_by_end on absences (merchant_id, (coalesce(ended_at, 'infinity')));
create index alarms_blocking_by_end on alarms (merchant_id, (coalesce(repaired_at, 'infinity'))) where criticity = 4;
insert into absences (merchant_id, machine_id, began_at)
  select merchant_id, id, last_seen_at from machines where connection <> 1 and last_seen_at is not null;

-- Seconds of an hour in which a blocking alarm was open, and, apart from it, in which the machine was absent. Of days that have
-- been summed up; hours without either have no row.
create table downtime_hourly (
  merchant_id uuid not null,
  hour timestamptz not null,
  machine_id uuid not null,
  blocked_seconds int not null,
  absent_seconds int not null,
  primary key (merchant_id, hour, machine_id)
);
call guard_tenant_table('downtime_hourly');
create index downtime_hourly_by_machine on downtime_hourly (merchant_id, machine_id, hour);

-- The hours of a merchant's local day in one row, and the same by product: what statistics of weeks read. Days are always named one by
-- one, so that the key leads to one machine's as well.
create table sales_daily (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  primary key (merchant_id, day, machine_id, type, media_type, media_source)
);
call guard_tenant_table('sales_daily');

create table product_sales_daily (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
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
  primary key (merchant_id, day, machine_id, type, media_type, media_source, price_table, product)
);
call guard_tenant_table('product_sales_daily');

-- Days that have been summed up.
create table summed_days (
  merchant_id uuid not null,
  day date not null,
  summed_at timestamptz not null,
  primary key (merchant_id, day)
);
call guard_tenant_table('summed_days');

-- Days to which something came late. Rows are only added, in the transaction that stores what came, so that nobody waits for anybody:
-- whoever sums up a day takes away those that its snapshot sees. Until then the day is read from its hours.
create table changed_days (
  merchant_id uuid not null,
  day date not null,
  id uuid not null,
  primary key (merchant_id, day, id)
);
call guard_tenant_table('changed_days');

-- When a local day begins: where its midnight comes twice, with the first; where it does not come, with the change.
create function start_of_day(day date, zone text) returns timestamptz
  language sql immutable parallel safe as $$
  select case when (day::timestamp at time zone zone - interval '1 hour') at time zone zone >= day::timestamp
    then day::timestamp at time zone zone - interval '1 hour' else day::timestamp at time zone zone end
$$;

-- Local: which months of raw rows are gone. What was summed up of them stays, and cannot be made again.
create table dropped_partitions (
  name text primary key,
  table_name text not null,
  ends_at timestamptz not null,
  dropped_at timestamptz not null
);
grant select on dropped_partitions to gettone_system;

-- A month is made beside its table and then attached, which neither waits for readers and writers nor keeps them waiting; CREATE TABLE
-- … PARTITION OF would do both.
create or replace function ensure_partitions(first timestamptz, last timestamptz) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  partition text;
  month timestamptz;
  next timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('gettone.partitions'));
  for parent in
    select relname from pg_partitioned_table join pg_class on pg_class.oid = partrelid
    where relnamespace = 'public'::regnamespace order by relname
  loop
    month := date_trunc('month', first, 'UTC');
    while month <= last loop
      next := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
      partition := parent || to_char(month at time zone 'UTC', '_YYYY_MM');
      if to_regclass(format('%I', partition)) is null then
        execute format('create table %I (like %I including defaults including constraints including storage)', partition, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, month, next);
        made := made + 1;
      end if;
      month := next;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the oldest month of a table that ends before an instant, and answers its name; null when there is none. It waits a moment only
-- for whoever uses the table (then: 55P03), since everybody who comes meanwhile waits behind it.
create function drop_partition(parent text, before timestamptz) returns text
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  oldest record;
begin
  perform pg_advisory_xact_lock(hashtext('gettone.partitions'));
  select c.relname as name, b.ends_at into oldest
  from pg_partitioned_table p
  join pg_class t on t.oid = p.partrelid and t.relnamespace = 'public'::regnamespace and t.relname = parent
  join pg_inherits i on i.inhparent = t.oid
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (
    select substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']+)'\)$re$)::timestamptz as ends_at
  ) b
  where b.ends_at <= before order by b.ends_at limit 1;
  if oldest is null then return null; end if;
  execute format('alter table %I detach partition %I', parent, oldest.name);
  execute format('drop table %I', oldest.name);
  insert into dropped_partitions (name, table_name, ends_at, dropped_at) values (oldest.name, parent, oldest.ends_at, now())
    on conflict (name) do update set dropped_at = excluded.dropped_at;
  return oldest.name;
end $$;
revoke execute on function drop_partition from public;
grant execute on function drop_partition to gettone_system;
