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

-- Local: from which value on a sensor wants cleaning, the same for all merchants. With `values_increase` dirt makes the value grow,
-- else it makes it fall. A sensor without a row is neither clean nor dirty.
create table sensor_thresholds (
  submodule text not null,
  name text not null,
  warning double precision not null,
  critical double precision not null,
  values_increase boolean not null,
  primary key (submodule, name),
  check (case when values_increase then warning <= critical else warning >= critical end)
);
grant select on sensor_thresholds to gettone_system;

-- Soiling in percent; the light that still comes through, in percent of a clean sensor.
insert into sensor_thresholds (submodule, name, warning, critical, values_increase) values
  ('coinValidator', 'entry', 60, 85, true),
  ('coinValidator', 'diameter', 60, 85, true),
  ('coinRecycler', 'sorter', 60, 85, true),
  ('billValidator', 'opticalUpper', 70, 50, false),
  ('billValidator', 'opticalLower', 70, 50, false),
  ('billRecycler', 'path', 65, 45, false);
