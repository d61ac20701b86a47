-- Many rows written at once.

-- The scope's merchants are read once for a statement that writes, and not once for every row: with a handful of merchants this was
-- a third of what storing a sale cost. What is read is judged as before: there the planner must know the merchants beforehand.
create or replace procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
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

do $$
declare
  guarded record;
begin
  for guarded in select tablename as name, case tablename when 'merchants' then 'id' else 'merchant_id' end as key
    from pg_policies where schemaname = 'public' and policyname = 'tenant' and with_check is not null
  loop
    execute format(
      'alter policy tenant on %1$I
         with check (%2$I = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))',
      guarded.name, guarded.key);
  end loop;
end $$;

-- One row per machine, and one per machine, hour and kind of sale, are rewritten with every batch: with room on their pages the new
-- version lies beside the old one, and no index has to be told.
alter table machine_journals set (fillfactor = 50);
alter table sales_hourly set (fillfactor = 70);
