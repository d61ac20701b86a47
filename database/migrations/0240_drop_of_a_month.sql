-- A month is dropped, its sums are carried and its files are read from then on in one function, as the tables' owner: a distributed database
-- refuses two roles that change rows of one merchant in one transaction. The row-level security of both tables holds for the owner too.
do $$
declare
  name text;
begin
  foreach name in array '{archived_months,machine_stock}'::text[] loop
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;

-- Drops the oldest month of a table that ends before an instant, and returns its name; null if there is none. `archived` has the number of
-- archived rows of each merchant. The month cannot change while its rows are compared with it (else: GA001); readers are not delayed.
-- It waits for locks only briefly (then: 55P03), because new queries queue behind it. What the month moved in stock is added to what is
-- carried, because a balance is the sum of all movements: a sale is a movement of each selection that it lowered.
-- Each statement names its merchant. Programs of the version before use drop_partition, which does neither.
create function drop_month(parent text, before timestamptz, archived jsonb, dropped_on timestamptz) returns text
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  oldest record;
  found jsonb;
  moved text;
  merchant uuid;
  files int;
begin
  -- For a transaction on several nodes. As a setting of the function it would need a superuser as owner.
  perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
  perform pg_advisory_xact_lock(hashtext('gettone.partitions'));
  select c.relname as name, b.ends_at, (b.ends_at at time zone 'UTC' - interval '1 month')::date as month into oldest
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
  moved := case parent
    when 'stock_movements' then format(
      'select machine_id, selection, sum(amount)::int as sum from %I where merchant_id = $1 group by 1, 2', oldest.name)
    when 'transactions' then format(
      'select machine_id, selection, -count(*)::int as sum from (
         select machine_id, price_line::text as selection from %1$I where merchant_id = $1 and lowers_line
         union all
         select machine_id, lowers_total from %1$I where merchant_id = $1 and lowers_total is not null) lowered
       group by 1, 2', oldest.name)
    end;
  for merchant in select key::uuid from jsonb_object_keys(archived) key order by 1 loop
    if moved is not null then
      execute format(
        'update machine_stock stock set carried = stock.carried + moved.sum from (%s) moved
         where stock.merchant_id = $1 and stock.machine_id = moved.machine_id and stock.selection = moved.selection', moved)
        using merchant;
    end if;
    update archived_months set dropped_at = dropped_on
      where merchant_id = merchant and table_name = parent and month = oldest.month and dropped_at is null;
    get diagnostics files = row_count;
    if files = 0 then
      raise exception 'The archive of % has no file of merchant %.', oldest.name, merchant using errcode = 'GA001';
    end if;
  end loop;
  execute format('alter table %I detach partition %I', parent, oldest.name);
  execute format('drop table %I', oldest.name);
  insert into dropped_partitions (name, table_name, ends_at, dropped_at) values (oldest.name, parent, oldest.ends_at, now())
    on conflict (name) do update set dropped_at = excluded.dropped_at;
  return oldest.name;
end $$;
revoke execute on function drop_month from public;
grant execute on function drop_month to gettone_system;
