-- Months of raw rows that retention has moved from the database to files.

create table archived_months (
  merchant_id uuid not null references merchants (id),
  table_name text not null,
  -- The first day of the month in UTC, as of its partition.
  month date not null,
  -- Above 1: rows that arrived after the month was dropped.
  part int not null,
  blob text not null,
  -- Null: the file is being written, or its writer died.
  rows bigint,
  size bigint,
  -- Of the file, in hexadecimal.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  -- Null: the rows are still in the database, and the file is not read.
  dropped_at timestamptz,
  primary key (merchant_id, table_name, month, part),
  check (dropped_at is null or (rows is not null and sha256 is not null))
);
call guard_tenant_table('archived_months');
revoke insert, update, delete on archived_months from gettone_app;

-- Drops the oldest month of a table that ends before an instant, and returns its name; null if there is none. `archived` has the number of
-- archived rows of each merchant. The month cannot change while its rows are compared with it (else: GA001); readers are not delayed.
-- It waits for locks only briefly (then: 55P03), because new queries queue behind it.
drop function drop_partition(text, timestamptz);
create function drop_partition(parent text, before timestamptz, archived jsonb) returns text
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  oldest record;
  found jsonb;
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
  execute format('lock table %I in share mode', oldest.name);
  execute format(
    'select coalesce(jsonb_object_agg(merchant_id, n), ''{}'') from (select merchant_id, count(*) as n from %I group by 1) counted',
    oldest.name) into found;
  if found <> archived then
    raise exception 'The archive of % lacks rows.', oldest.name using errcode = 'GA001';
  end if;
  execute format('alter table %I detach partition %I', parent, oldest.name);
  execute format('drop table %I', oldest.name);
  insert into dropped_partitions (name, table_name, ends_at, dropped_at) values (oldest.name, parent, oldest.ends_at, now())
    on conflict (name) do update set dropped_at = excluded.dropped_at;
  return oldest.name;
end $$;
revoke execute on function drop_partition from public;
grant execute on function drop_partition to gettone_system;
