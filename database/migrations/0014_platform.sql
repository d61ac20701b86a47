-- Shared by all screens: change logs, table states and views, exports, mail, postal codes.

-- Changes within a tenant; append-only.
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
-- The log as a list, newest first: all of it, or by user, action or kind of subject. A page begins at its cursor.
create index change_log_by_time on change_log (merchant_id, at, id);
create index change_log_by_user on change_log (merchant_id, user_id, at, id);
create index change_log_by_action on change_log (merchant_id, action, at, id);
create index change_log_by_type on change_log (merchant_id, subject_type, at, id);

-- Changes outside of merchants: users of the provider or without a merchant, shared texts and thresholds, dead letters. Append-only; the
-- tenant role cannot read it, like its subjects.
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
-- The list, newest first.
create index provider_log_by_time on provider_log (at, id);
-- All changes of one subject, for its page.
create index provider_log_by_subject on provider_log (subject_id, at);

-- Local: a user's own, across merchants. All of a user's are read at once, by the primary key.
create table table_states (
  user_id uuid not null references users (id) on delete cascade,
  table_id text not null,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (user_id, table_id)
);

-- Local: views of one user. merchant_id is from the path and may be the placeholder of all merchants.
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
-- A table's views have unique names; they are also read by this index.
create unique index private_views_by_name on private_views (user_id, merchant_id, table_id, lower(name));

grant select, insert, update, delete on table_states, private_views to gettone_system;

-- Views shared by all users of a merchant and edited by several.
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

-- Local: a job belongs to one user. merchant_id is from the path and may be the placeholder of all merchants; scope and role are the
-- user's at the time of the order. attempt distinguishes the runs of a job whose worker died.
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
-- A user's own, newest first; also counts the running ones.
create index exports_by_user on exports (user_id, created_at desc);
-- Finds expired exports for the cleanup.
create index exports_by_expiry on exports (expires_at) where expires_at is not null;
grant select, insert, update, delete on exports to gettone_system;

-- Local: worker processes. Each is alive while it holds the advisory lock of its id; the names are those under which it locks jobs. A
-- process that finds the lock free returns the jobs to the queue.
create table worker_processes (
  id uuid primary key,
  worker_ids text[] not null default '{}',
  started_at timestamptz not null
);

-- Queues an export in the transaction that stores it. The worker creates its queue at its first start; until then nothing is queued, and
-- the worker finds waiting exports itself.
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

-- Places by postal code, to complete addresses. They belong to no tenant; import:postal-codes fills them with COPY and one endpoint reads
-- them. The tenant role has no access.
create table postal_codes (
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Capital letters and digits only. In the C collation, so that the primary key finds a code and all codes with this prefix.
  compact text collate "C" not null check (compact ~ '^[0-9A-Z]+$'),
  place text not null,
  province text not null,
  -- In the country's own format.
  code text not null,
  latitude double precision,
  longitude double precision,
  primary key (country, compact, place, province)
);
grant select, insert, delete on postal_codes to gettone_system;
