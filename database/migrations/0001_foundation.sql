-- Roles, the way every tenant table is guarded, and the tables that merchants, people and machines hang on.
--
-- gettone_app     serves requests; sees a tenant's rows only while app.merchant_ids names the tenant.
-- gettone_system  serves the few allow-listed jobs that cross tenants; sees rows through a policy of its own.
-- Neither owns a table nor bypasses row-level security. Passwords are set by the migrator.

create extension if not exists pg_trgm;

do $$ begin
  if not exists (select from pg_roles where rolname = 'gettone_app') then
    create role gettone_app login nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
  if not exists (select from pg_roles where rolname = 'gettone_system') then
    create role gettone_system login nosuperuser nobypassrls nocreatedb nocreaterole;
  end if;
end $$;

grant usage on schema public to gettone_app, gettone_system;

-- The one place that says how a tenant table is guarded. Without a sub-select, so that Citus can push it down; nullif, since
-- a setting once set with SET LOCAL reads as '' afterwards.
create procedure guard_tenant_table(name regclass, key text default 'merchant_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format(
    'create policy tenant on %1$s to gettone_app
       using (%2$I = any(nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[]))
       with check (%2$I = any(nullif(current_setting(''app.merchant_ids'', true), '''')::uuid[]))', name, key);
  execute format('create policy system on %s to gettone_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to gettone_app, gettone_system', name);
end $$;

-- Reference: the public part of a merchant.
create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  country text not null check (country ~ '^[A-Z]{2}$'),
  language text not null,
  time_zone text not null,
  currency text not null,
  is_demo boolean not null default false,
  created_at timestamptz not null
);
call guard_tenant_table('merchants', 'id');

-- The association PIN must be readable by its merchant, so it is sealed and not hashed; its digest finds the merchant.
create table merchant_settings (
  merchant_id uuid primary key references merchants (id),
  pin_sealed text not null,
  maximum_refund bigint not null default 10000,
  peripheral_events_minutes int not null default 60,
  scheduled_audit_minutes int not null default 1440,
  minimum_signal_percent int not null default 45,
  audit_exceeded_hours int not null default 48,
  cloud_credit_unlock_hours int not null default 24,
  prices_sync text not null default 'immediate' check (prices_sync in ('immediate', 'afterAudit'))
);
call guard_tenant_table('merchant_settings');

create table groups (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, name)
);
call guard_tenant_table('groups');

create table machines (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  serial text not null,
  name text not null check (length(name) between 1 and 200),
  device_type text not null,
  group_id uuid,
  address text,
  latitude double precision,
  longitude double precision,
  hidden boolean not null default false,
  created_at timestamptz not null,
  warranty_until date,
  -- What the machine told of itself at its last boot.
  board_serial text,
  board_model text,
  board_version text,
  modem_manufacturer text,
  modem_model text,
  modem_version text,
  ethernet_manufacturer text,
  mac_address text,
  sim_iccid text,
  sim_imsi text,
  sim_operator text,
  imei text,
  public_ip text,
  network_type text,
  telemetry_board_type text,
  telemetry_board_version text,
  firmware_version text,
  -- Its condition, kept with every message.
  connection smallint not null default 2 check (connection in (0, 1, 2)),
  pos_status smallint not null default 1 check (pos_status in (1, 2, 3)),
  signal_percent smallint,
  clock_drift_seconds int,
  cash_in_box bigint,
  cash_box_capacity bigint,
  last_boot_at timestamptz,
  last_seen_at timestamptz,
  last_ping_at timestamptz,
  last_sale_at timestamptz,
  last_audit_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, name),
  foreign key (merchant_id, group_id) references groups (merchant_id, id)
);
call guard_tenant_table('machines');
-- Lists narrowed to groups, and every table that hangs on a machine, go through here.
create index machines_by_group on machines (merchant_id, group_id);
-- Searches from three letters on.
create index machines_by_text on machines using gin ((name || ' ' || serial || ' ' || coalesce(address, '')) gin_trgm_ops);

-- The device secret is said once to the machine; here is its hash alone.
create table machine_secrets (
  merchant_id uuid not null,
  machine_id uuid not null,
  secret_hash text not null,
  created_at timestamptz not null,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_secrets');

-- Which of a machine's numbered items are stored, as ranges: exact per item, one row per machine, whatever the order of arrival.
create table machine_journals (
  merchant_id uuid not null,
  machine_id uuid not null,
  epoch int not null,
  seen int8multirange not null default '{}',
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_journals');

-- Local directory: a serial is unique in the whole deployment, and a connection knows a serial only.
create table machine_directory (
  serial text primary key,
  merchant_id uuid not null,
  machine_id uuid not null unique,
  epoch int not null
);
grant select, insert, update, delete on machine_directory to gettone_system;

-- Local: people. An invited person has no subject until the first sign-in through the invitation.
create table users (
  id uuid primary key,
  issuer text,
  subject text,
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null,
  language text,
  status text not null check (status in ('invited', 'active', 'suspended')),
  created_at timestamptz not null,
  unique (issuer, subject)
);
grant select, insert, update, delete on users to gettone_system;

create table user_merchants (
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  all_groups boolean not null,
  primary key (user_id, merchant_id)
);
grant select, insert, update, delete on user_merchants to gettone_system;

create table user_groups (
  user_id uuid not null,
  merchant_id uuid not null,
  group_id uuid not null,
  primary key (user_id, merchant_id, group_id),
  foreign key (user_id, merchant_id) references user_merchants (user_id, merchant_id) on delete cascade
);
grant select, insert, update, delete on user_groups to gettone_system;

-- What people did to their own account and session; append-only.
create table session_log (
  id uuid primary key,
  user_id uuid not null,
  at timestamptz not null,
  type text not null,
  reason text not null
);
grant select, insert on session_log to gettone_system;

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
