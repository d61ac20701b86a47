-- What the selections of a machine sold day by day, for the forecast: last year's season and closures are months back, and adding up transactions of a
-- year for each machine once a day would read all of them. The worker replaces the row once a day.
create table machine_courses (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The last day of each course, by the merchant's clock; all have the same number of days.
  last_day date not null,
  days int not null check (days > 0),
  selections text[] not null,
  -- Course by course in the order of the selections, and day by day: pieces in two bytes, the lower one first.
  sold bytea not null,
  -- The share of the day's customers who found pieces, in percent, in a byte.
  shown bytea not null,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check (octet_length(sold) = 2 * days * cardinality(selections)),
  check (octet_length(shown) = days * cardinality(selections))
);
call guard_tenant_table('machine_courses');
call read_scope_once('machine_courses');

alter table machine_stock
  -- Pieces that are expected to be sold on the coming days, from forecast_from on; after them `usual` is expected of each week. Null: only `usual` is known.
  add column forecast real[] check (array_length(forecast, 1) = 28),
  add column forecast_from date,
  add constraint machine_stock_forecast check ((forecast is null) = (forecast_from is null));
