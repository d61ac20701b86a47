-- Machines: their data, secrets, association, and the notes of users.

create table machines (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  serial text not null,
  name text not null check (length(name) between 1 and 200),
  device_type text not null,
  group_id uuid,
  client_id uuid,
  -- The kind of location, a code of the contract's pos sectors; null: not set. No index: a filter by sector reads the few machines of its
  -- merchants.
  sector text check (length(sector) between 1 and 40),
  address text,
  latitude double precision,
  longitude double precision,
  hidden boolean not null default false,
  manage_stock boolean not null default false,
  no_vend_profile_id uuid,
  created_at timestamptz not null,
  -- The last edit by a user; reports of the machine do not count.
  updated_at timestamptz not null default now(),
  -- Users edit from a version. Only edits by users increment it, so that reports of the machine never conflict with a form.
  version int not null default 1,
  -- A deleted machine keeps its row, because its sales, audits and repairs refer to it; it is shown nowhere.
  deleted_at timestamptz,
  warranty_until date,
  -- A known machine gets a new secret with its old secret, or until this instant.
  reassociation_until timestamptz,
  -- The last boot report of the machine: manufacturer, model and version of each part.
  board_serial text,
  board_manufacturer text,
  board_model text,
  board_version text,
  modem_manufacturer text,
  modem_model text,
  modem_version text,
  ethernet_manufacturer text,
  ethernet_model text,
  ethernet_version text,
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
  -- The condition, updated by every message.
  connection smallint not null default 2 check (connection in (0, 1, 2)),
  pos_status smallint not null default 1 check (pos_status in (1, 2, 3)),
  signal_percent smallint,
  clock_drift_seconds int,
  temperature_celsius numeric(4, 1),
  cash_in_box bigint,
  cash_box_capacity bigint,
  last_boot_at timestamptz,
  last_seen_at timestamptz,
  last_ping_at timestamptz,
  last_sale_at timestamptz,
  last_audit_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, group_id) references groups (merchant_id, id),
  foreign key (merchant_id, client_id) references clients (merchant_id, id),
  check (deleted_at is null or hidden)
-- Updated by every message: free space on the page keeps the new row version there, and no index changes.
) with (fillfactor = 70);
call guard_tenant_table('machines');
comment on column machines.pos_status is
  'What open alarms decide of the POS status: 1 correct, 2 warning, 3 critical. '
  'The connection decides the rest when it is read.';
-- A deleted machine frees its name.
create unique index machines_merchant_id_name_key on machines (merchant_id, name) where deleted_at is null;
-- For lists narrowed to groups, and for every table of machine data.
create index machines_by_group on machines (merchant_id, group_id);
-- Finds and counts the machines of a client; most machines have none.
create index machines_by_client on machines (merchant_id, client_id) where client_id is not null;
-- Machines carry a code with their serial.
create index machines_by_serial on machines (merchant_id, serial);
-- For searches of three letters or more.
create index machines_by_text on machines using gin ((name || ' ' || serial || ' ' || coalesce(address, '')) gin_trgm_ops);

-- The only way to search machines by text inside a scope: row-level security prevents the use of the trigram index, so this function runs
-- as the system role and narrows to the tenant itself. % and _ in the text are literal.
create function search_machines(wanted text) returns table (machine_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from machines
  where merchant_id = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[])
    and (name || ' ' || serial || ' ' || coalesce(address, ''))
        ilike '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
revoke execute on function search_machines from public;
grant create on schema public to gettone_system;
alter function search_machines owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function search_machines to gettone_app;

-- The machine gets its device secret once; the table holds the hash only.
create table machine_secrets (
  merchant_id uuid not null,
  machine_id uuid not null,
  secret_hash text not null,
  -- Whether the machine has signed in with it.
  is_used boolean not null default true,
  -- Also accepted for a new secret until the machine has signed in with the latest one: that response may have been lost.
  previous_hash text,
  created_at timestamptz not null,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_secrets');

-- The stored items of a machine, as ranges of their numbers: exact per item, one row per machine, for any order of arrival.
create table machine_journals (
  merchant_id uuid not null,
  machine_id uuid not null,
  epoch int not null,
  seen int8multirange not null default '{}',
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
-- Updated by every batch, like the machine's row.
) with (fillfactor = 50);
call guard_tenant_table('machine_journals');
call read_scope_once('machine_journals');

-- Local directory: a serial is unique in the deployment, and a connection gives a serial only.
create table machine_directory (
  serial text primary key,
  merchant_id uuid not null,
  machine_id uuid not null unique,
  epoch int not null
);
grant select, insert, update, delete on machine_directory to gettone_system;

-- Local directory: a PIN is unique in the deployment. Its keyed digest finds the merchant without revealing the PIN.
create table association_pins (
  digest text primary key,
  merchant_id uuid not null unique
);
grant select, insert, update, delete on association_pins to gettone_system;

-- Local: failed associations, counted per machine, address and merchant in time windows.
create table association_attempts (
  key text not null,
  since timestamptz not null,
  failures int not null,
  primary key (key, since)
);
grant select, insert, update, delete on association_attempts to gettone_system;

-- Local: networks from which a merchant's machines were associated, as keyed digests. The PIN of an attempt from such a network is still
-- checked while others guess PINs.
create table association_places (
  merchant_id uuid not null,
  place text not null,
  last_at timestamptz not null,
  primary key (merchant_id, place)
);
grant select, insert, update, delete on association_places to gettone_system;

-- Machines that a user is about to associate: serial and planned assignment.
create table expected_associations (
  merchant_id uuid not null references merchants (id),
  serial text not null,
  name text,
  group_id uuid,
  client_id uuid,
  created_at timestamptz not null,
  created_by uuid not null,
  expires_at timestamptz not null,
  primary key (merchant_id, serial),
  foreign key (merchant_id, group_id) references groups (merchant_id, id) on delete set null (group_id),
  foreign key (merchant_id, client_id) references clients (merchant_id, id) on delete set null (client_id)
);
call guard_tenant_table('expected_associations');
-- A machine that associates sends its serial and no merchant.
create index expected_associations_by_serial on expected_associations (serial);
create index expected_associations_by_group on expected_associations (merchant_id, group_id) where group_id is not null;
create index expected_associations_by_client on expected_associations (merchant_id, client_id) where client_id is not null;

create table notes (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  created_at timestamptz not null,
  created_by uuid not null,
  created_by_name text not null,
  note text not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('notes');
create index notes_by_machine on notes (merchant_id, machine_id, created_at desc);
