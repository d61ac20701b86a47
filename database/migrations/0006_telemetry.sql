-- Telemetry beside sales, alarms, audits and commands: readings, absences, sensors, unknown fields and dead letters.

-- Signal and temperature over time. Only periods of one machine are read, so the key is the only index.
create table readings (
  merchant_id uuid not null,
  machine_id uuid not null,
  at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  saved_at timestamptz not null,
  signal_percent smallint,
  temperature_celsius numeric(4, 1),
  primary key (merchant_id, machine_id, at, epoch, seq)
) partition by range (at);
call guard_tenant_table('readings');

-- Periods without a message of a machine that sent messages before, from its last message on. Null: it continues.
create table absences (
  merchant_id uuid not null,
  machine_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, machine_id, began_at),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('absences');
-- A machine has one open absence at most.
create unique index absences_open on absences (merchant_id, machine_id) where ended_at is null;
-- Finds absences that overlap a period, however long the history.
create index absences_by_end on absences (merchant_id, (coalesce(ended_at, 'infinity')));

-- Local: the start of the current listening time, so that a downtime of our gateways does not count as silence of machines. One row,
-- updated by every gateway.
create table gateway_listening (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null,
  last_at timestamptz not null
);
grant select, insert, update on gateway_listening to gettone_system;

-- The soiling of a machine's sensors. Only the newest value is kept, from the latest heartbeat; read with the machine, by key.
create table machine_sensors (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The machine's part that contains the sensor, and the sensor's name, both as the machine reports them.
  submodule text not null check (length(submodule) between 1 and 40),
  name text not null check (length(name) between 1 and 40),
  value double precision not null,
  at timestamptz not null,
  primary key (merchant_id, machine_id, submodule, name),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_sensors');
-- Finds the distinct sensors of all machines, one index lookup per name. Without the values, so that a report of a known sensor does not
-- change the index.
create index machine_sensors_by_name on machine_sensors (submodule, name);

-- The history of sensors, one row per sensor and hour: soiling grows over days, and a report of the same value writes nothing.
create table sensor_readings (
  merchant_id uuid not null,
  machine_id uuid not null,
  submodule text not null,
  name text not null,
  hour timestamptz not null,
  minimum double precision not null,
  maximum double precision not null,
  -- The last value of the hour.
  value double precision not null,
  primary key (merchant_id, machine_id, submodule, name, hour)
) partition by range (hour);
call guard_tenant_table('sensor_readings');

-- Local: cleaning thresholds of sensors, the same for all merchants, set by the super admin. With `values_increase` soiling increases the
-- value, otherwise it decreases it. A sensor without a row is neither clean nor dirty. A row stays when its thresholds are removed, so
-- that no version repeats.
create table sensor_thresholds (
  submodule text not null,
  name text not null,
  warning double precision,
  critical double precision,
  values_increase boolean not null,
  version int not null default 1,
  updated_at timestamptz,
  updated_by text,
  primary key (submodule, name),
  check (case when values_increase then warning <= critical else warning >= critical end),
  check ((warning is null) = (critical is null))
);
grant select, insert, update on sensor_thresholds to gettone_system;

-- Soiling in percent; transmitted light in percent of a clean sensor.
insert into sensor_thresholds (submodule, name, warning, critical, values_increase) values
  ('coinValidator', 'entry', 60, 85, true),
  ('coinValidator', 'diameter', 60, 85, true),
  ('coinRecycler', 'sorter', 60, 85, true),
  ('billValidator', 'opticalUpper', 70, 50, false),
  ('billValidator', 'opticalLower', 70, 50, false),
  ('billRecycler', 'path', 65, 45, false);

-- Fields of items that newer firmware sends and this version does not know, unchanged. A separate table, because few machines send any.
-- JSON as text: jsonb refuses characters that JSON allows.
create table unknown_fields (
  merchant_id uuid not null,
  machine_id uuid not null,
  at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  kind text not null,
  fields text not null,
  primary key (merchant_id, machine_id, at, epoch, seq)
) partition by range (at);
call guard_tenant_table('unknown_fields');

-- Local: messages that could not be parsed or stored, with the reason; the sender may be unknown. An item that cannot be stored is
-- acknowledged only after a complete copy is kept here, with its machine and number. Letters without a number are noise and limited.
create table dead_letters (
  id uuid primary key,
  at timestamptz not null,
  serial text,
  merchant_id uuid,
  machine_id uuid,
  epoch int,
  seq bigint,
  kind text not null,
  transport text not null,
  reason text not null,
  payload bytea not null,
  -- An item may be replayed after a fix: who requested it, and the result.
  replay_requested_at timestamptz,
  replay_requested_by text,
  replayed_at timestamptz,
  replay_outcome text check (replay_outcome in ('stored', 'repeated', 'refused')),
  replay_detail text
);
grant select, insert, update, delete on dead_letters to gettone_system;
create index dead_letters_by_time on dead_letters (at desc);
-- Keeps each item once, however often it is sent; also counts the items of a machine for its limit.
create unique index dead_letters_by_item on dead_letters (machine_id, epoch, seq) where seq is not null;
-- For the hourly cleanup.
create index dead_letters_noise on dead_letters (at) where seq is null;
-- The gateway looks for requested replays, which are rare.
create index dead_letters_to_replay on dead_letters (replay_requested_at)
  where replay_requested_at is not null and replayed_at is null;
