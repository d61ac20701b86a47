-- What machines measure, how they are configured, and what their merchant wants configured otherwise.

-- What a machine tells of its parts, complete: each with who made it, its model and its version.
alter table machines
  add column board_manufacturer text,
  add column ethernet_model text,
  add column ethernet_version text;

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

-- A configuration as a machine reported it. One that is the same as the one before is that one, confirmed; now and then it is
-- stored anew all the same, so that retention never takes what a machine still has.
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

-- What a merchant wants of one machine's configuration. A machine without a row has nothing of its own.
create table custom_configurations (
  merchant_id uuid not null,
  machine_id uuid not null,
  parameters jsonb not null,
  version int not null,
  edited_at timestamptz not null,
  edited_by_name text not null,
  -- The command that carried it last, and which version that was.
  command_id uuid,
  sent_version int,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('custom_configurations');

-- The same for every partitioned table, whichever migration made it.
create or replace function ensure_partitions(first timestamptz, last timestamptz) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('gettone.partitions'));
  for parent in
    select relname from pg_partitioned_table join pg_class on pg_class.oid = partrelid
    where relnamespace = 'public'::regnamespace order by relname
  loop
    month := date_trunc('month', first, 'UTC');
    while month <= last loop
      if to_regclass(format('%I', parent || to_char(month at time zone 'UTC', '_YYYY_MM'))) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          parent || to_char(month at time zone 'UTC', '_YYYY_MM'), parent, month,
          (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
        made := made + 1;
      end if;
      month := (month at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    end loop;
  end loop;
  return made;
end $$;
