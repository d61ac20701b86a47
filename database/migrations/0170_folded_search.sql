-- Searches ignore accents and the spelling of letters beside their case. `folded` is the same as `folded` of domain/frame/folded.ts; a text of
-- ASCII takes the short way. Indexes are on folded(…), so no table is rewritten, only its index is new.
create function folded(value text) returns text language sql immutable parallel safe as $$
  select case when octet_length(value) = char_length(value) then lower(value)
    else replace(replace(replace(replace(
      translate(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036F]', '', 'g')), 'øłđðıħŧŋς’‘ʼ‐–—−', 'olddihtnσ''''''----'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end
$$;
grant execute on function folded to public;

-- The text index of a table with the column `searched`, and search_<table>(pattern, most): the ids of rows whose folded text matches a regular
-- expression (`searchPattern` of the domain). A condition of row-level security prevents the use of a text index, so the function runs as
-- the system role and narrows to the scope's merchants itself. Each search is planned for its text (execute): few hits come from the
-- index; with many hits it stops at the limit.
create procedure index_searched(target text) language plpgsql as $$
begin
  execute format('drop index if exists %I', target || '_by_text');
  execute format('create index %I on %I using gin (folded(searched) gin_trgm_ops)', target || '_by_text', target);
  execute format('drop function if exists %I(text, int)', 'search_' || target);
  execute format($function$
    create function %I(pattern text, most int) returns table (found uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $body$
    begin
      return query execute 'select id from %I where merchant_id = any($1) and folded(searched) ~ $2 limit $3'
        using nullif(current_setting('app.merchant_ids', true), '')::uuid[], pattern, most;
    end $body$
  $function$, 'search_' || target, target);
  execute format('revoke execute on function %I from public', 'search_' || target);
  grant create on schema public to gettone_system;
  execute format('alter function %I owner to gettone_system', 'search_' || target);
  revoke create on schema public from gettone_system;
  execute format('grant execute on function %I to gettone_app', 'search_' || target);
end $$;

-- Makes a tenant table searchable by a text in some of its columns, or by other columns than before: `searched` concatenates them.
-- A table that has other columns already is rewritten.
create or replace procedure make_searchable(target text, columns text[]) language plpgsql as $$
declare
  held text := (select string_agg(format('coalesce(%I, '''')', name), ' || '' '' || ' order by place)
    from unnest(columns) with ordinality as each (name, place));
begin
  execute format('alter table %I drop column if exists searched', target);
  execute format('alter table %I add column searched text not null generated always as (%s) stored', target, held);
  call index_searched(target);
end $$;

do $$
declare target text;
begin
  for target in select relname from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'searched' and not attisdropped and relkind = 'r' and relnamespace = 'public'::regnamespace order by 1
  loop
    call index_searched(target);
  end loop;
end $$;

-- Machines and users are searched without a column of their own.
drop index machines_by_text;
create index machines_by_text on machines
  using gin (folded(name || ' ' || serial || ' ' || coalesce(address, '')) gin_trgm_ops);
drop function search_machines;
create function search_machines(pattern text) returns table (machine_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from machines
  where merchant_id = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[])
    and folded(name || ' ' || serial || ' ' || coalesce(address, '')) ~ pattern
$$;
revoke execute on function search_machines from public;
grant create on schema public to gettone_system;
alter function search_machines owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function search_machines to gettone_app;

drop index users_by_text;
create index users_by_text on users using gin (folded(email || ' ' || name) gin_trgm_ops);
