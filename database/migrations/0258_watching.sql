-- Local: how full the disks of the hosts are, each hour.
create table disk_samples (
  -- The host and the folder.
  place text not null,
  at timestamptz not null,
  used bigint not null,
  total bigint not null,
  primary key (place, at)
);
grant select, insert, delete on disk_samples to gettone_system;

-- The jobs of the worker belong to the owner of the database. Before the first worker there are none.
create function job_figures() returns table (waiting int, failed int, oldest timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return query select 0, 0, null::timestamptz;
  else
    return query execute 'select count(*) filter (where attempts < max_attempts and run_at <= now() and locked_at is null)::int,
      count(*) filter (where attempts >= max_attempts)::int,
      min(run_at) filter (where attempts < max_attempts and run_at <= now() and locked_at is null)
      from graphile_worker._private_jobs';
  end if;
end $$;
revoke execute on function job_figures from public;
grant execute on function job_figures to gettone_system;

-- How long the longest statement has been running, as far as the owner of the database sees the others.
create function longest_statement() returns double precision
  language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(max(extract(epoch from now() - query_start)) filter (where state = 'active' and backend_type = 'client backend'
    and pid <> pg_backend_pid() and query not ilike 'start_replication%'), 0)::double precision
  from pg_stat_activity where datname = current_database()
$$;
revoke execute on function longest_statement from public;
grant execute on function longest_statement to gettone_system;

-- Shown on the status page.
grant select on worker_processes, migrations to gettone_system;
