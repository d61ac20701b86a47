-- Reported and target configurations of machines.

-- A configuration as a machine reported it. An unchanged one only confirms the row before; from time to time it is stored again, so that
-- retention never drops a machine's current configuration.
create table configurations (
  merchant_id uuid not null,
  read_at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  confirmed_at timestamptz not null,
  machine_time text,
  epoch int not null,
  seq bigint not null,
  origin smallint not null,
  port text not null,
  sha256 bytea not null,
  parameters jsonb not null,
  primary key (merchant_id, read_at, id)
) partition by range (read_at);
call guard_tenant_table('configurations');
-- A machine's history, newest first.
create index configurations_by_machine on configurations (merchant_id, machine_id, read_at);
create index configurations_by_id on configurations (merchant_id, id);

-- The target configuration of one machine. A machine without a row has none.
create table custom_configurations (
  merchant_id uuid not null,
  machine_id uuid not null,
  parameters jsonb not null,
  version int not null,
  edited_at timestamptz not null,
  edited_by_name text not null,
  -- The command that sent it last, and the sent version.
  command_id uuid,
  sent_version int,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('custom_configurations');
