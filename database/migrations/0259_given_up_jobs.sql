-- A job with one attempt has made it while it runs; it is given up when it is not held. Those of the last day, since they stay in the table.
create or replace function job_figures() returns table (waiting int, failed int, oldest timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return query select 0, 0, null::timestamptz;
  else
    return query execute 'select count(*) filter (where attempts < max_attempts and run_at <= now() and locked_at is null)::int,
      count(*) filter (where attempts >= max_attempts and locked_at is null and updated_at > now() - interval ''1 day'')::int,
      min(run_at) filter (where attempts < max_attempts and run_at <= now() and locked_at is null)
      from graphile_worker._private_jobs';
  end if;
end $$;
