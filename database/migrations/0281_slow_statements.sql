-- Local: statements that the processes waited long for, without any value, of the last two weeks.
create table slow_statements (
  -- SHA-256 of the text.
  id text primary key,
  text text not null,
  calls bigint not null,
  total_ms double precision not null,
  maximum_ms double precision not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
grant select, insert, update, delete on slow_statements to gettone_system;

-- The statements of this database that pg_stat_statements has seen take so long, as the owner sees them; null where it is not installed or not
-- loaded.
create function statement_figures(from_ms double precision, most int) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  place text;
  figures jsonb;
begin
  select nspname into place from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_stat_statements';
  if place is null then return null; end if;
  execute format($of$ select coalesce(jsonb_agg(jsonb_build_object('text', query, 'calls', calls, 'totalMs', total_exec_time,
      'maximumMs', max_exec_time)), '[]')
    from (select query, calls, total_exec_time, max_exec_time from %I.pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and toplevel and max_exec_time >= $1
        and query <> '<insufficient privilege>'
      order by total_exec_time desc limit $2) slow $of$, place) into figures using from_ms, most;
  return figures;
exception
  when object_not_in_prerequisite_state then return null;
end $$;
revoke execute on function statement_figures from public;
grant execute on function statement_figures to gettone_system;
