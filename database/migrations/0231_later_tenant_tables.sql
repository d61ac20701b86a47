-- Where tables are distributed over several nodes, a later migration distributes its own: the guard of a tenant table does it, and its
-- policies are without sub-selects. A key to a distributed table can be added only then, so a migration creates a tenant table without
-- foreign keys, guards it, and adds its keys by ALTER TABLE.
create function is_spread() returns boolean language plpgsql stable as $$
declare found boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute 'select exists (select 1 from pg_dist_partition where logicalrelid = to_regclass(''public.merchants''))' into found;
  end if;
  return found;
end $$;
revoke execute on function is_spread from public;

create or replace procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
declare
  spread boolean := is_spread();
  own text := 'nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[]';
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %1$s to gettone_app using (%2$I = any(%3$s)) with check (%2$I = any(%4$s))',
    name, key, own, case when spread then own else format('(select %s)::uuid[]', own) end);
  execute format('create policy system on %s to gettone_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to gettone_app, gettone_system', name);
  if spread and key = 'merchant_id' then
    execute format('select create_distributed_table(%L, %L, colocate_with => %L)', name::text, key, 'merchant_settings');
  end if;
end $$;

create or replace procedure read_scope_once(name regclass) language plpgsql as $$
begin
  if is_spread() then return; end if;
  execute format(
    'alter policy tenant on %s
       using (merchant_id = any((select nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[])::uuid[]))', name);
end $$;
