-- The last reported stock and prices of machines. Read with the machine, by key; of two reports the one with the higher number of the
-- machine counts, in any order of arrival. `gone` rows stay, so that an older report does not restore them.
create table machine_stock (
  merchant_id uuid not null,
  machine_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  product text,
  -- The way a level is counted, by the specification's numbers: 1 the total of a machine's hot drinks, 2 a single cold price line. Null:
  -- not reported.
  stock_type smallint check (stock_type in (1, 2)),
  level int not null check (level >= 0),
  capacity int,
  warning_level int,
  refilled_at timestamptz,
  -- 1 out, 4 low, 9 in stock, by the rule at the time of the report.
  status smallint not null check (status in (1, 4, 9)),
  gone boolean not null,
  at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  primary key (merchant_id, machine_id, selection),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_stock');
-- Sold-out selections for the dashboard: few of many.
create index machine_stock_out on machine_stock (merchant_id, machine_id) where status = 1 and not gone;

create table machine_prices (
  merchant_id uuid not null,
  machine_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  price_table smallint not null check (price_table between 1 and 8),
  product text,
  -- Minor units of the merchant's currency.
  price bigint not null check (price >= 0),
  gone boolean not null,
  at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  primary key (merchant_id, machine_id, selection, price_table),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_prices');
