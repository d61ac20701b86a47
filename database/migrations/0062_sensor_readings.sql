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
