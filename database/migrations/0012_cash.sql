-- Cash: the reported contents of machines, and accepted and rejected cash of their devices.

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

-- Accepted and rejected cash by denomination (minor units). Written in the transaction that stores the readings.
create table cash_hourly (
  merchant_id uuid not null,
  hour timestamptz not null,
  machine_id uuid not null,
  denomination bigint not null,
  accepted bigint not null,
  rejected bigint not null,
  primary key (merchant_id, hour, machine_id, denomination)
);
call guard_tenant_table('cash_hourly');
call read_scope_once('cash_hourly');
-- One machine over a long time.
create index cash_hourly_by_machine on cash_hourly (merchant_id, machine_id, hour);
