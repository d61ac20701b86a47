-- The guard of a tenant table is one call: on one node its policy reads the scope's merchants once per statement, on several nodes it has no
-- sub-select and the table is distributed. No further call is needed: read_scope_once, which
-- some migrations call, finds the same policy.
create or replace procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
declare
  spread boolean := is_spread();
  own text := 'nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[]';
  scope text := case when spread then own else format('(select %s)::uuid[]', own) end;
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %1$s to gettone_app using (%2$I = any(%3$s)) with check (%2$I = any(%3$s))', name, key, scope);
  execute format('create policy system on %s to gettone_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to gettone_app, gettone_system', name);
  if spread and key = 'merchant_id' then
    execute format('select create_distributed_table(%L, %L, colocate_with => %L)', name::text, key, 'merchant_settings');
  end if;
end $$;
