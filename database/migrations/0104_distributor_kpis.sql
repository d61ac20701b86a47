-- KPIs of ended days: per machine, and per merchant by what its machines were. Written by the worker with the day's other sums. The figures
-- of a merchant have few rows however many machines it has.

create table machine_kpis_daily (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  -- What the machine was when the day was summed up first. '' is unknown: of a validator, that it has reported no version.
  device_type text not null,
  firmware_version text not null,
  coin_validator text not null,
  bill_validator text not null,
  -- How long the machine was attached.
  seconds int not null,
  blocked_seconds int not null,
  absent_seconds int not null,
  cycles bigint not null,
  faults int not null,
  blocking_alarms int not null,
  coins_accepted bigint not null,
  coins_rejected bigint not null,
  bills_accepted bigint not null,
  bills_rejected bigint not null,
  -- Accepted and rejected pieces by denomination: three arrays of one length.
  denominations bigint[] not null,
  accepted bigint[] not null,
  rejected bigint[] not null,
  primary key (merchant_id, day, machine_id)
);
call guard_tenant_table('machine_kpis_daily');
call read_scope_once('machine_kpis_daily');

create table merchant_kpis_daily (
  merchant_id uuid not null,
  day date not null,
  device_type text not null,
  firmware_version text not null,
  coin_validator text not null,
  bill_validator text not null,
  seconds bigint not null,
  blocked_seconds bigint not null,
  absent_seconds bigint not null,
  cycles bigint not null,
  faults bigint not null,
  blocking_alarms bigint not null,
  coins_accepted bigint not null,
  coins_rejected bigint not null,
  bills_accepted bigint not null,
  bills_rejected bigint not null,
  denominations bigint[] not null,
  accepted bigint[] not null,
  rejected bigint[] not null,
  primary key (merchant_id, day, device_type, firmware_version, coin_validator, bill_validator)
);
call guard_tenant_table('merchant_kpis_daily');
call read_scope_once('merchant_kpis_daily');

-- Days of before are summed up again, which writes their KPIs.
insert into changed_days (merchant_id, day, id) select merchant_id, day, gen_random_uuid() from summed_days;
