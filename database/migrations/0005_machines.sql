-- Machines: what is known of each, how it proves who it is, how it is associated, and what people note of it.

create table machines (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  serial text not null,
  name text not null check (length(name) between 1 and 200),
  device_type text not null,
  group_id uuid,
  client_id uuid,
  -- What kind of place it is at, by the codes of the contract's pos sectors. Null: nobody has said it. No index: a filter by sector reads
  -- the machines of its merchants, which are few.
  sector text check (length(sector) between 1 and 40),
  address text,
  latitude double precision,
  longitude double precision,
  hidden boolean not null default false,
  manage_stock boolean not null default false,
  no_vend_profile_id uuid,
  created_at timestamptz not null,
  -- When people last changed what the portal says of it; a machine's own reports are no such change.
  updated_at timestamptz not null default now(),
  -- What people edit carries a version: whoever saves names the one their change was made from. Only edits by people count it
  -- up, so that a machine's own reports never stand in the way of a form.
  version int not null default 1,
  -- A deleted machine keeps its row, since what it has sold, been read and repaired hangs on it; nobody sees it any more.
  deleted_at timestamptz,
  warranty_until date,
  -- A known machine renews its secret with the secret it has, or while an admin's window is open.
  reassociation_until timestamptz,
  -- What the machine told of itself at its last boot: each part with who made it, its model and its version.
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
  -- Its condition, kept with every message.
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
-- Rewritten with every message: with room on their pages the new version lies beside the old one, and no index has to be told.
) with (fillfactor = 70);
call guard_tenant_table('machines');
comment on column machines.pos_status is
  'What open alarms decide of the POS status: 1 correct, 2 warning, 3 critical. '
  'The connection decides the rest when it is read.';
-- A name is free again once its machine is deleted.
create unique index machines_merchant_id_name_key on machines (merchant_id, name) where deleted_at is null;
-- Lists narrowed to groups, and every table that hangs on a machine, go through here.
create index machines_by_group on machines (merchant_id, group_id);
-- A client's machines, and how many there are; most machines of most merchants have none.
create index machines_by_client on machines (merchant_id, client_id) where client_id is not null;
-- A code on a machine says its serial.
create index machines_by_serial on machines (merchant_id, serial);
-- Searches from three letters on.
create index machines_by_text on machines using gin ((name || ' ' || serial || ' ' || coalesce(address, '')) gin_trgm_ops);

-- The one way to search text inside a scope: row-level security would keep ILIKE from its trigram index, so this runs as the
-- system role and narrows to the tenant by itself. % and _ in the text are taken literally.
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

-- The device secret is said once to the machine; here is its hash alone.
create table machine_secrets (
  merchant_id uuid not null,
  machine_id uuid not null,
  secret_hash text not null,
  -- Whether the machine has signed in with it.
  is_used boolean not null default true,
  -- Renews the secret as well, until the machine has signed in with the new one: the answer may have been lost.
  previous_hash text,
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
-- Rewritten with every batch, as a machine's row is.
) with (fillfactor = 50);
call guard_tenant_table('machine_journals');
call read_scope_once('machine_journals');

-- Local directory: a serial is unique in the whole deployment, and a connection knows a serial only.
create table machine_directory (
  serial text primary key,
  merchant_id uuid not null,
  machine_id uuid not null unique,
  epoch int not null
);
grant select, insert, update, delete on machine_directory to gettone_system;

-- Local directory: a PIN is unique in the whole deployment. Its keyed digest leads to the merchant without the PIN being readable.
create table association_pins (
  digest text primary key,
  merchant_id uuid not null unique
);
grant select, insert, update, delete on association_pins to gettone_system;

-- Local: failed associations, counted per machine, address and merchant in stretches of time.
create table association_attempts (
  key text not null,
  since timestamptz not null,
  failures int not null,
  primary key (key, since)
);
grant select, insert, update, delete on association_attempts to gettone_system;

-- Local: networks from which machines of a merchant were associated, as keyed digests. An attempt from such a network is
-- compared with the PIN although PINs are being guessed elsewhere.
create table association_places (
  merchant_id uuid not null,
  place text not null,
  last_at timestamptz not null,
  primary key (merchant_id, place)
);
grant select, insert, update, delete on association_places to gettone_system;

-- Machines that somebody is about to associate: their serials, and where they belong once they arrive.
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
-- A machine that arrives names its serial and no merchant.
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
