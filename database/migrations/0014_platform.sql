-- What serves every screen: the logs of who changed what, how people look at their tables, exports, mail, postal codes.

-- Who changed what in a tenant; append-only.
create table change_log (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  at timestamptz not null,
  user_id uuid,
  user_name text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  primary key (merchant_id, id)
);
call guard_tenant_table('change_log');
revoke update, delete on change_log from gettone_app, gettone_system;
create index change_log_by_subject on change_log (merchant_id, subject_type, subject_id, at desc);
-- The log as a list, newest first: whole, and narrowed to a person, an action or a kind of subject. A page is entered at its cursor.
create index change_log_by_time on change_log (merchant_id, at, id);
create index change_log_by_user on change_log (merchant_id, user_id, at, id);
create index change_log_by_action on change_log (merchant_id, action, at, id);
create index change_log_by_type on change_log (merchant_id, subject_type, at, id);

-- Who changed what that is no merchant's: people who work for the provider or belong to nobody, texts and thresholds that are the
-- same for all, messages that were set aside. Append-only, and out of the tenant role's reach as what it tells of is.
create table provider_log (
  id uuid primary key,
  at timestamptz not null,
  user_id uuid not null,
  user_name text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
grant select, insert on provider_log to gettone_system;
-- The newest first, as it is read.
create index provider_log_by_time on provider_log (at, id);
-- All that was done to one subject, from its own page.
create index provider_log_by_subject on provider_log (subject_id, at);

-- Local: a person's own, across merchants. All of a person's are read at once, by the primary key.
create table table_states (
  user_id uuid not null references users (id) on delete cascade,
  table_id text not null,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (user_id, table_id)
);

-- Local: views of one person alone. merchant_id is the path's, which may be the placeholder of all distributors.
create table private_views (
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  id uuid not null,
  table_id text not null,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  sort_options jsonb,
  headers jsonb,
  version int not null default 1,
  created_by_name text not null,
  created_at timestamptz not null,
  primary key (user_id, merchant_id, id)
);
-- Two of one name could not be told apart; a table's views are read by it as well.
create unique index private_views_by_name on private_views (user_id, merchant_id, table_id, lower(name));

grant select, insert, update, delete on table_states, private_views to gettone_system;

-- Views that everybody of a merchant sees, edited by several people.
create table shared_views (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  table_id text not null,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  sort_options jsonb,
  headers jsonb,
  version int not null default 1,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('shared_views');
create unique index shared_views_by_name on shared_views (merchant_id, table_id, lower(name));

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

-- Local: mail that was not sent because no SMTP server is configured.
create table mailbox (
  id uuid primary key,
  at timestamptz not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null
);
create index mailbox_by_time on mailbox (at desc);
grant select, insert, update, delete on mailbox to gettone_system;

-- Places by postal code, to complete an address by. They belong to no tenant and are the same for all; they are filled by
-- import:postal-codes and read by one endpoint. Out of the tenant role's reach, which has no use for them, so that COPY may fill them.
create table postal_codes (
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Capitals and digits alone. In the C collation, so that the primary key finds a code and all that begin like it.
  compact text collate "C" not null check (compact ~ '^[0-9A-Z]+$'),
  place text not null,
  province text not null,
  -- As the country writes it.
  code text not null,
  latitude double precision,
  longitude double precision,
  primary key (country, compact, place, province)
);
grant select, insert, delete on postal_codes to gettone_system;
