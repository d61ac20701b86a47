-- What machines say: transactions with their rollup, events with the alarms they make, audits, cash, commands, notes.

-- Partitioned by month on the time corrected for the machine's clock; created ahead, dropped by retention.
create table transactions (
  merchant_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  machine_time text,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  price_table smallint,
  price_line int,
  free_sale boolean not null,
  error_sale boolean not null,
  value bigint not null,
  value_charge bigint not null,
  seq bigint,
  epoch int,
  original_seq bigint,
  product text,
  product_code text,
  media_serial text,
  credit_card_file_id text,
  external_user_id text,
  primary key (merchant_id, created_at, id)
) partition by range (created_at);
call guard_tenant_table('transactions');
-- A machine's own list, newest first.
create index transactions_by_machine on transactions (merchant_id, machine_id, created_at, id);

-- Sums per machine and local hour, kept in the transaction that stores the rows they sum. By hour first: a dashboard reads a
-- few days of all machines and must not pay for the years before.
create table sales_hourly (
  merchant_id uuid not null,
  hour timestamptz not null,
  machine_id uuid not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  count int not null,
  value bigint not null,
  value_charge bigint not null,
  free_count int not null,
  error_count int not null,
  primary key (merchant_id, hour, machine_id, type, media_type, media_source)
);
call guard_tenant_table('sales_hourly');
-- One machine over a long time.
create index sales_hourly_by_machine on sales_hourly (merchant_id, machine_id, hour);

create table events (
  merchant_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  machine_time text,
  seq bigint,
  epoch int,
  code text not null,
  active boolean not null,
  message text,
  detail text,
  primary key (merchant_id, at, id)
) partition by range (at);
call guard_tenant_table('events');
create index events_by_machine on events (merchant_id, machine_id, at);

create table alarms (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  code text not null,
  source text not null,
  category text not null,
  criticity smallint not null check (criticity in (0, 2, 4)),
  status text not null check (status in ('active', 'notification', 'repaired', 'repairedManually')),
  message text,
  detail text,
  count int not null default 1,
  created_at timestamptz not null,
  last_at timestamptz not null,
  repaired_at timestamptz,
  repaired_by text,
  repair_note text,
  remaining_cycles int,
  mcbf int,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarms');
-- Repeated events join the open alarm of their code; there is at most one.
create unique index alarms_open on alarms (merchant_id, machine_id, code) where status in ('active', 'notification');
create index alarms_by_time on alarms (merchant_id, created_at desc, id desc);
create index alarms_by_machine on alarms (merchant_id, machine_id, created_at desc);

-- The raw bytes are kept whatever could be read of them.
create table audits (
  merchant_id uuid not null,
  read_at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  machine_time text,
  seq bigint,
  epoch int,
  origin smallint not null,
  port text not null,
  crc text not null,
  size int not null,
  warnings int not null,
  sha256 bytea not null,
  sales_total bigint,
  vends_total bigint,
  selections_total bigint,
  content jsonb not null,
  raw bytea not null,
  primary key (merchant_id, read_at, id)
) partition by range (read_at);
call guard_tenant_table('audits');
create index audits_by_machine on audits (merchant_id, machine_id, read_at);
create index audits_by_id on audits (merchant_id, id);
-- A file posted twice is one read.
create index audits_by_digest on audits (merchant_id, machine_id, sha256);

create table cash_readings (
  merchant_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  seq bigint,
  epoch int,
  box bigint,
  box_capacity bigint,
  tubes jsonb not null,
  recyclers jsonb not null,
  accepted jsonb not null,
  rejected jsonb not null,
  primary key (merchant_id, at, id)
) partition by range (at);
call guard_tenant_table('cash_readings');
create index cash_readings_by_machine on cash_readings (merchant_id, machine_id, at);

-- A row is the outbox and the record of a command at once.
create table remote_commands (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  type smallint not null,
  parameters jsonb not null,
  status smallint not null check (status between 0 and 5),
  result smallint check (result in (0, 1, 2, 3, -1, -2, -3)),
  result_info text,
  cancel_requested boolean not null default false,
  attempts int not null default 0,
  maximum_attempts int not null default 5,
  created_at timestamptz not null,
  created_by uuid,
  created_by_name text,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null,
  started_at timestamptz,
  executed_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('remote_commands');
-- One pending command of a type per machine: the database says so, whoever races.
create unique index remote_commands_pending on remote_commands (merchant_id, machine_id, type) where status in (0, 1);
-- What is due, for whoever publishes.
create index remote_commands_due on remote_commands (next_attempt_at) where status in (0, 1);
create index remote_commands_by_time on remote_commands (merchant_id, created_at desc, id desc);
create index remote_commands_by_machine on remote_commands (merchant_id, machine_id, created_at desc);

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

-- Local: what could not be understood, with its reason; the sender may be unknown.
create table dead_letters (
  id uuid primary key,
  at timestamptz not null,
  serial text,
  merchant_id uuid,
  kind text not null,
  transport text not null,
  reason text not null,
  payload bytea not null
);
grant select, insert, delete on dead_letters to gettone_system;
create index dead_letters_by_time on dead_letters (at desc);

-- Local: failed associations, counted per machine, address and merchant in stretches of time.
create table association_attempts (
  key text not null,
  since timestamptz not null,
  failures int not null,
  primary key (key, since)
);
grant select, insert, update, delete on association_attempts to gettone_system;

-- Creates the monthly partitions that cover a stretch of time. Partitions carry no grants: they are reached through their table alone.
create function ensure_partitions(first timestamptz, last timestamptz) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('gettone.partitions'));
  foreach parent in array array['transactions', 'events', 'audits', 'cash_readings'] loop
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
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to gettone_system;

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
