-- Row-level security reads the scope's merchants once per statement, on every table, and not once per row: a filter without a sub-select took
-- half a microsecond a row for one merchant, more than the rest of reading it. A list of ten thousand machines, their alarms and their
-- stock spent most of its time there. Statements name their merchants themselves (`TenantDb.own`), so the planner need not know those of the
-- policy; it multiplied both shares and expected too few rows. Distributed tables keep their condition: Citus takes no sub-select in a policy.
create or replace procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy tenant on %1$s to gettone_app
       using (%2$I = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))
       with check (%2$I = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))', name, key);
  execute format('create policy system on %s to gettone_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to gettone_app, gettone_system', name);
end $$;

do $$
declare
  policy record;
  is_spread boolean;
begin
  for policy in
    select format('%I.%I', schemaname, tablename)::regclass as target, substring(qual from '^\((\w+) = ANY') as key from pg_policies
    where schemaname = 'public' and policyname = 'tenant' and qual !~* '\mselect\M' order by 1
  loop
    is_spread := false;
    if to_regclass('pg_dist_partition') is not null then
      execute 'select exists (select from pg_dist_partition where logicalrelid = $1)' into is_spread using policy.target;
    end if;
    if not is_spread then
      execute format(
        'alter policy tenant on %s
           using (%I = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))', policy.target, policy.key);
    end if;
  end loop;
end $$;
