-- Requests for historical data.

create table data_retrieval_requests (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  data_type text not null check (data_type in
    ('transactions', 'auditsParsed', 'auditsRaw', 'alarms', 'cash', 'readings', 'stockMovements', 'commands')),
  start_date date not null,
  end_date date not null,
  language text not null,
  status text not null check (status in ('created', 'completed', 'expired', 'error')),
  message text check (message in ('accessLost', 'featureOff', 'archiveDamaged', 'failed')),
  created_by uuid not null,
  created_by_name text not null,
  -- The role and the groups of the user at the time of the request: "all", or ids.
  role text not null,
  groups jsonb not null,
  -- Distinguishes the runs of a request whose worker died.
  attempt int not null default 0,
  -- An array of the files with their rows.
  files jsonb not null default '[]',
  rows bigint not null default 0,
  size bigint,
  blob text,
  created_at timestamptz not null,
  ended_at timestamptz,
  expires_at timestamptz,
  mailed_at timestamptz,
  primary key (merchant_id, id),
  check (start_date <= end_date),
  check ((status = 'completed') = (blob is not null)),
  check ((status = 'error') = (message is not null))
);
call guard_tenant_table('data_retrieval_requests');
-- The list shows the newest first.
create index data_retrieval_requests_by_time on data_retrieval_requests (merchant_id, created_at desc, id);
-- Finds files that have expired, and requests without a job.
create index data_retrieval_requests_due on data_retrieval_requests (expires_at) where status = 'completed';
create index data_retrieval_requests_open on data_retrieval_requests (merchant_id, id) where status = 'created';

-- As queue_export.
create function queue_data_retrieval(merchant_id uuid, request_id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('writeHistoricalData', json_build_object('merchantId', merchant_id, 'id', request_id),
    job_key => 'historicalData:' || request_id, max_attempts => 10);
end $$;
revoke execute on function queue_data_retrieval from public;
grant execute on function queue_data_retrieval to gettone_app, gettone_system;
