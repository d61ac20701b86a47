-- What machines tell beside sales, alarms, audits and commands: readings, silence, sensors; and what of it could not be understood.

-- Signal and temperature over time. A machine's own stretch is all that is ever read, so the key leads to it and is the only index.
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

-- When the portal did not hear a machine that it had heard before: from its last word on. Null: it goes on.
create table absences (
  merchant_id uuid not null,
  machine_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, machine_id, began_at),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('absences');
-- A machine is absent once at a time.
create unique index absences_open on absences (merchant_id, machine_id) where ended_at is null;
-- What reaches into a stretch of time, whatever the history.
create index absences_by_end on absences (merchant_id, (coalesce(ended_at, 'infinity')));

-- Local: since when machines can be heard at all, so that our own absence is nobody's silence. One row, kept up by every gateway.
create table gateway_listening (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null,
  last_at timestamptz not null
);
grant select, insert, update on gateway_listening to gettone_system;

-- How dirty the sensors of a machine are. Only the newest value counts, as a sign of life brings it; read with the machine, by its key.
create table machine_sensors (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The part of the machine that the sensor sits in, and its name there, both as the machine says them.
  submodule text not null check (length(submodule) between 1 and 40),
  name text not null check (length(name) between 1 and 40),
  value double precision not null,
  at timestamptz not null,
  primary key (merchant_id, machine_id, submodule, name),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_sensors');
-- Which sensors there are, over all machines, is read by leaping from one name to the next. Values are not in it: a report of a
-- sensor that is known already does not touch it.
create index machine_sensors_by_name on machine_sensors (submodule, name);

-- The history of sensors, one row per sensor and hour: dirt grows over days, and a sign of life that reports the same value writes nothing.
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

-- Local: from which value on a sensor wants cleaning, the same for all merchants, as the super admin says it. With `values_increase` dirt
-- makes the value grow, else it makes it fall. A sensor without a row is neither clean nor dirty. A row whose thresholds were taken away
-- stays, so that its version never comes twice.
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

-- Soiling in percent; the light that still comes through, in percent of a clean sensor.
insert into sensor_thresholds (submodule, name, warning, critical, values_increase) values
  ('coinValidator', 'entry', 60, 85, true),
  ('coinValidator', 'diameter', 60, 85, true),
  ('coinRecycler', 'sorter', 60, 85, true),
  ('billValidator', 'opticalUpper', 70, 50, false),
  ('billValidator', 'opticalLower', 70, 50, false),
  ('billRecycler', 'path', 65, 45, false);

-- What newer firmware says of an item and this version does not know, as it came. Beside the items, since most machines say nothing of the
-- kind and their rows should cost no more for it. It is JSON in a text: jsonb refuses characters that JSON may hold.
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

-- Local: what could not be understood or booked, with its reason; the sender may be unknown. An item that cannot be booked is acknowledged
-- only when a complete copy of it is kept: such a letter names the machine and the number that its journal passed over. Letters without a
-- number are noise, of which no more than some is kept.
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
  -- It may be told to the gateway once more, after a mend: who asked for it, and what became of it.
  replay_requested_at timestamptz,
  replay_requested_by text,
  replayed_at timestamptz,
  replay_outcome text check (replay_outcome in ('stored', 'repeated', 'refused')),
  replay_detail text
);
grant select, insert, update, delete on dead_letters to gettone_system;
create index dead_letters_by_time on dead_letters (at desc);
-- Each item is kept once, however often it is sent; and how many are kept of a machine is counted before it may add to them.
create unique index dead_letters_by_item on dead_letters (machine_id, epoch, seq) where seq is not null;
-- What is trimmed hourly.
create index dead_letters_noise on dead_letters (at) where seq is null;
-- The gateway looks for what waits to be told again; nearly always there is nothing.
create index dead_letters_to_replay on dead_letters (replay_requested_at)
  where replay_requested_at is not null and replayed_at is null;
