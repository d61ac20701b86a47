-- Lists as files: the jobs that write them, who works on them, and what PostgreSQL needs to write their lines by itself.

-- Local: a job belongs to one person. merchant_id is the path's, which may be the placeholder of all distributors; scope is what
-- the person saw when ordering, and role as whom. attempt tells apart the runs of a job whose worker died.
create table exports (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  role text not null,
  scope jsonb not null,
  ordered jsonb not null,
  status text not null check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  failure text,
  attempt int not null default 0,
  cancel_requested boolean not null default false,
  total bigint,
  written bigint not null default 0,
  size bigint,
  blob text,
  file_name text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz
);
-- A person's own, newest first; how many of them run is counted by it too.
create index exports_by_user on exports (user_id, created_at desc);
-- What has expired, for the sweep.
create index exports_by_expiry on exports (expires_at) where expires_at is not null;
grant select, insert, update, delete on exports to gettone_system;

-- Local: processes that work, each alive for as long as it holds the advisory lock of its id, with the names under which it
-- locks jobs. Whoever finds the lock free gives the jobs back.
create table worker_processes (
  id uuid primary key,
  worker_ids text[] not null default '{}',
  started_at timestamptz not null
);

-- Puts an export into the worker's queue in the transaction that stores it. The queue is the worker's own and comes with its first
-- start; until then nothing is queued, and the worker finds what waits by itself.
create function queue_export(export_id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('writeExport', json_build_object('id', export_id),
    job_key => 'export:' || export_id, max_attempts => 10);
end $$;
revoke execute on function queue_export from public;
grant execute on function queue_export to gettone_system;

-- A text as a field of a CSV file (RFC 4180), harmless to spreadsheets: what could begin a formula, also behind spaces and quotes, gets
-- an apostrophe in front. Every separator is quoted, whichever the file has, since a reader may split at another. One expression, so
-- that it is inlined.
create function csv_text(value text) returns text language sql immutable parallel safe as $$
  select case
    when value !~ '[",;\t\r\n]|^[\s''"]*[-=+@＝＋－＠]' then value
    else '"' || replace(
      case when value ~ '^[\s''"]*[-=+@＝＋－＠]|^[\t\r\n]' then '''' || value else value end, '"', '""') || '"' end
$$;

-- How far ahead of UTC a zone is, from when on: to look up a few entries costs a tenth of converting by the zone's name. Offsets change
-- at quarters of an hour.
create function zone_offsets(zone text, first timestamptz, last timestamptz)
  returns table (since timestamptz[], ahead interval[])
  language sql stable as $$
  with days as (
    select day, (day at time zone zone) - (day at time zone 'UTC') as ahead,
      lag((day at time zone zone) - (day at time zone 'UTC')) over (order by day) as before
    from generate_series(first, last, interval '1 day') as day
  ), changes as (
    select coalesce((select min(at) from generate_series(day - interval '1 day', day, interval '15 minutes') as at
      where before is not null and (at at time zone zone) - (at at time zone 'UTC') = days.ahead), day) as at, ahead
    from days where before is distinct from ahead
  )
  select array_agg(at order by at), array_agg(ahead order by at) from changes
$$;
