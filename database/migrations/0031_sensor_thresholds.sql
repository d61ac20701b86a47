-- The super admin edits from when on sensors want cleaning. A row whose thresholds were taken away stays, so that its version
-- never comes twice.
alter table sensor_thresholds
  alter column warning drop not null,
  alter column critical drop not null,
  add check ((warning is null) = (critical is null)),
  add column version int not null default 1,
  add column updated_at timestamptz,
  add column updated_by text;
grant insert, update on sensor_thresholds to gettone_system;

-- Which sensors there are, over all machines, is read by leaping from one name to the next. Values are not in it: a report of a
-- sensor that is known already does not touch it.
create index machine_sensors_by_name on machine_sensors (submodule, name);
