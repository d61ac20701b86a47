-- KPIs of machines by year, month and a third of a month, beside those by day: a year of ten thousand machines reads a few rows of each instead
-- of 365.

create table machine_kpis_spans (
  merchant_id uuid not null,
  -- tens: the days 1 to 10, 11 to 20 and from 21 of a month.
  span text not null check (span in ('tens', 'month', 'year')),
  -- The first day.
  first date not null,
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
  primary key (merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator)
);
call guard_tenant_table('machine_kpis_spans');
call read_scope_once('machine_kpis_spans');

insert into machine_kpis_spans
with days as (
  select s.span, s.first, k.* from machine_kpis_daily k cross join lateral (values
    ('tens', date_trunc('month', k.day)::date + case when extract(day from k.day) > 20 then 20 when extract(day from k.day) > 10 then 10 else 0 end),
    ('month', date_trunc('month', k.day)::date),
    ('year', date_trunc('year', k.day)::date)
  ) s (span, first)
), sums as (
  select merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator, count(*) as days,
    sum(seconds) as seconds, sum(blocked_seconds) as blocked_seconds, sum(absent_seconds) as absent_seconds, sum(cycles) as cycles,
    sum(faults) as faults, sum(blocking_alarms) as blocking_alarms, sum(coins_accepted) as coins_accepted,
    sum(coins_rejected) as coins_rejected, sum(bills_accepted) as bills_accepted, sum(bills_rejected) as bills_rejected
  from days group by 1, 2, 3, 4, 5, 6, 7, 8
), pieces as (
  select merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator, u.denomination,
    sum(u.accepted) as accepted, sum(u.rejected) as rejected
  from days cross join lateral unnest(denominations, accepted, rejected) as u (denomination, accepted, rejected)
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(u.accepted) <> 0 or sum(u.rejected) <> 0
), lists as (
  select merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator,
    array_agg(denomination order by denomination) as denominations, array_agg(accepted order by denomination) as accepted,
    array_agg(rejected order by denomination) as rejected
  from pieces group by 1, 2, 3, 4, 5, 6, 7, 8
)
select merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator, days, seconds,
  blocked_seconds, absent_seconds, cycles, faults, blocking_alarms, coins_accepted, coins_rejected, bills_accepted, bills_rejected,
  coalesce(denominations, '{}'), coalesce(accepted, '{}'), coalesce(rejected, '{}')
from sums left join lists using (merchant_id, span, first, machine_id, device_type, firmware_version, coin_validator, bill_validator);
