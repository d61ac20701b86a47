-- The base of all tables: the two roles, the guard of tenant tables, monthly partitions, and shared functions.
-- gettone_app: serves requests; sees a tenant's rows only while app.merchant_ids contains the tenant.
-- gettone_system: runs the few allow-listed jobs across tenants; sees rows through a policy of its own.
-- Neither owns a table nor bypasses row-level security. The migrator sets the passwords.

create extension if not exists pg_trgm;

do $$ begin
  if not exists (select from pg_roles where rolname = 'gettone_app') then
    create role gettone_app login nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
  if not exists (select from pg_roles where rolname = 'gettone_system') then
    create role gettone_system login nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
end $$;

grant usage on schema public to gettone_app, gettone_system;

-- The policies of every tenant table. Reads are checked without a sub-select, so that Citus can push the condition down and the planner
-- knows the merchants. Writes read the scope's merchants once per statement: once per row took a third of the cost of storing a sale.
-- nullif: a setting once set with SET LOCAL reads as '' afterwards.
create procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy tenant on %1$s to gettone_app
       using (%2$I = any(nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[]))
       with check (%2$I = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))', name, key);
  execute format('create policy system on %s to gettone_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to gettone_app, gettone_system', name);
end $$;

-- For sums and journals: statements read or write thousands of their rows, always by keys that begin with the merchant. The planner need
-- not know the merchants, so they are read once per statement. It halves the time of a dashboard and saves a third of adding to sums.
create procedure read_scope_once(name regclass) language plpgsql as $$
begin
  execute format(
    'alter policy tenant on %s
       using (merchant_id = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))', name);
end $$;

-- Creates the monthly partitions of every partitioned table for a period. Partitions have no grants: access is through their table. A
-- month is created beside its table and then attached, which needs no lock against readers and writers; CREATE TABLE … PARTITION OF does.
create function ensure_partitions(first timestamptz, last timestamptz) returns int
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
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to gettone_system;

-- Local: dropped months of raw rows. Their sums stay and cannot be recomputed.
create table dropped_partitions (
  name text primary key,
  table_name text not null,
  ends_at timestamptz not null,
  dropped_at timestamptz not null
);
grant select on dropped_partitions to gettone_system;

-- Drops the oldest month of a table that ends before an instant, and returns its name; null if there is none. It waits for the lock only
-- briefly (then: 55P03), because new queries queue behind it.
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

-- The UTC offsets of a zone, each from its start: a lookup of a few entries costs a tenth of a conversion by the zone's name. Offsets
-- change at quarters of an hour.
create function zone_offsets(zone text, first timestamptz, last timestamptz)
  returns table (since timestamptz[], ahead interval[])
  language sql stable as $$
  with days as (
    select day, (day at time zone zone) - (day at time zone 'UTC') as ahead,
      lag((day at time zone zone) - (day at time zone 'UTC')) over (order by day) as before
    from generate_series(first, last, interval '1 day') as day
  ), changes as (
    select coalesce((select min(at) from generate_series(day - interval '1 day', day, interval '15 minutes') as at
      where before is not null and (at at time zone zone) - (at at time zone 'UTC') = days.ahead), day) as at, ahead
    from days where before is distinct from ahead
  )
  select array_agg(at order by at), array_agg(ahead order by at) from changes
$$;

-- The start of a local day: its first midnight where midnight occurs twice; the clock change where it is skipped.
create function start_of_day(day date, zone text) returns timestamptz
  language sql immutable parallel safe as $$
  select case when (day::timestamp at time zone zone - interval '1 hour') at time zone zone >= day::timestamp
    then day::timestamp at time zone zone - interval '1 hour' else day::timestamp at time zone zone end
$$;

-- Makes a text safe for spreadsheets: an apostrophe precedes what could begin a formula, also behind spaces and quotes. Most texts begin
-- with a letter or a digit, which is checked first. Empty is null. COPY itself quotes fields. One expression, so that it is inlined.
create function spreadsheet_text(value text) returns text language sql immutable parallel safe as $$
  select case
    when ascii(value) between 97 and 122 or ascii(value) between 65 and 90 or ascii(value) between 48 and 57 then value
    when value = '' then null
    when value ~ '^[\s''"]*[-=+@＝＋－＠]|^[\t\r\n]' then '''' || value
    else value
  end
$$;
