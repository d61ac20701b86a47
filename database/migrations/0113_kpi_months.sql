-- KPIs of machines by calendar month, beside those by day: a year of ten thousand machines reads twelve rows of each instead of 365.

create table machine_kpis_monthly (
  merchant_id uuid not null,
  -- The first day of the month.
  month date not null,
  machine_id uuid not null,
  -- As in machine_kpis_daily: what the machine was on the days.
  device_type text not null,
  firmware_version text not null,
  coin_validator text not null,
  bill_validator text not null,
  -- The number of daily rows in the sums. Rows without days are deleted.
  days int not null,
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
  -- Accepted and rejected pieces by denomination: three arrays of one length, without denominations of which there are none.
  denominations bigint[] not null,
  accepted bigint[] not null,
  rejected bigint[] not null,
  primary key (merchant_id, month, machine_id, device_type, firmware_version, coin_validator, bill_validator)
);
call guard_tenant_table('machine_kpis_monthly');
call read_scope_once('machine_kpis_monthly');

insert into machine_kpis_monthly
with sums as (
  select merchant_id, date_trunc('month', day)::date as month, machine_id, device_type, firmware_version, coin_validator, bill_validator,
    count(*) as days, sum(seconds) as seconds, sum(blocked_seconds) as blocked_seconds, sum(absent_seconds) as absent_seconds,
    sum(cycles) as cycles, sum(faults) as faults, sum(blocking_alarms) as blocking_alarms, sum(coins_accepted) as coins_accepted,
    sum(coins_rejected) as coins_rejected, sum(bills_accepted) as bills_accepted, sum(bills_rejected) as bills_rejected
  from machine_kpis_daily group by 1, 2, 3, 4, 5, 6, 7
), pieces as (
  select merchant_id, date_trunc('month', day)::date as month, machine_id, device_type, firmware_version, coin_validator, bill_validator,
    u.denomination, sum(u.accepted) as accepted, sum(u.rejected) as rejected
  from machine_kpis_daily cross join lateral unnest(denominations, accepted, rejected) as u (denomination, accepted, rejected)
  group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(u.accepted) <> 0 or sum(u.rejected) <> 0
), lists as (
  select merchant_id, month, machine_id, device_type, firmware_version, coin_validator, bill_validator,
    array_agg(denomination order by denomination) as denominations, array_agg(accepted order by denomination) as accepted,
    array_agg(rejected order by denomination) as rejected
  from pieces group by 1, 2, 3, 4, 5, 6, 7
)
select merchant_id, month, machine_id, device_type, firmware_version, coin_validator, bill_validator, days, seconds, blocked_seconds,
  absent_seconds, cycles, faults, blocking_alarms, coins_accepted, coins_rejected, bills_accepted, bills_rejected,
  coalesce(denominations, '{}'), coalesce(accepted, '{}'), coalesce(rejected, '{}')
from sums left join lists using (merchant_id, month, machine_id, device_type, firmware_version, coin_validator, bill_validator);
