-- Makes a tenant table searchable by a text in some of its columns: `searched` concatenates them under a trigram index, and
-- search_<table>(wanted, most) finds the ids of rows that contain a text; % and _ are literal. A condition of row-level security prevents
-- the use of a text index, so the function runs as the system role and narrows to the scope's merchants itself. Each search is planned
-- for its text (execute): few hits come from the index; with many hits it stops at the limit.
create procedure make_searchable(target text, columns text[]) language plpgsql as $$
declare
  held text := (select string_agg(format('coalesce(%I, '''')', name), ' || '' '' || ' order by place)
    from unnest(columns) with ordinality as each (name, place));
begin
  execute format('alter table %I add column searched text not null generated always as (%s) stored', target, held);
  execute format('create index %I on %I using gin (searched gin_trgm_ops)', target || '_by_text', target);
  execute format($function$
    create function %I(wanted text, most int) returns table (found uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $body$
    begin
      return query execute 'select id from %I where merchant_id = any($1) and searched ilike $2 limit $3'
        using nullif(current_setting('app.merchant_ids', true), '')::uuid[],
          '%%' || replace(replace(replace(wanted, '\', '\\'), '%%', '\%%'), '_', '\_') || '%%', most;
    end $body$
  $function$, 'search_' || target, target);
  execute format('revoke execute on function %I from public', 'search_' || target);
  grant create on schema public to gettone_system;
  execute format('alter function %I owner to gettone_system', 'search_' || target);
  revoke create on schema public from gettone_system;
  execute format('grant execute on function %I to gettone_app', 'search_' || target);
end $$;

drop function search_clients, search_groups;
drop index clients_by_text, groups_by_text;
call make_searchable('clients', '{code,name,company_name,city,vat_code,contact_name}');
call make_searchable('groups', '{name}');
call make_searchable('key_sap_codes', '{code,description}');
