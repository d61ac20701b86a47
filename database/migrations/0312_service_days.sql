-- How long the selections of managed machines were in service, and sold out, day by day: the report on availability reads periods of many machines, for which
-- adding up movements backwards would take minutes. The worker writes the days of the last four weeks once a day, because sales may arrive late.
create table machine_service_days (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The merchant's day.
  day date not null,
  selections text[] not null,
  -- Selection by selection: the product that it had when the day was first written, null without one; minutes in service, and of these without pieces.
  product_ids uuid[] not null,
  minutes int[] not null,
  sold_out int[] not null,
  -- Of all selections together.
  service_minutes int not null,
  sold_out_minutes int not null,
  primary key (merchant_id, machine_id, day),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check (cardinality(selections) = all (array[cardinality(product_ids), cardinality(minutes), cardinality(sold_out)])),
  check (sold_out_minutes between 0 and service_minutes)
);
call guard_tenant_table('machine_service_days');
call read_scope_once('machine_service_days');
-- A report reads a period of all machines.
create index machine_service_days_by_day on machine_service_days (merchant_id, day);
