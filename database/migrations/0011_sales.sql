-- Sales as rows and as sums: by hour on arrival, by the merchant's local day after its end.

-- Partitioned by month on the time corrected for the machine's clock; partitions are created ahead and dropped by retention.
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

-- Sums per machine and local hour, written in the transaction that stores the rows. The key begins with the hour: a dashboard reads a few
-- days of all machines, whatever the history.
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
  -- '' and -1 for a sale without product or price list, because a key cannot hold null.
  price_table smallint not null default -1,
  product text not null default '',
  primary key (merchant_id, hour, machine_id, type, media_type, media_source, price_table, product)
-- Updated by every batch, like the machine's row.
) with (fillfactor = 70);
call guard_tenant_table('sales_hourly');
call read_scope_once('sales_hourly');
-- One machine over a long time.
create index sales_hourly_by_machine on sales_hourly (merchant_id, machine_id, hour);

-- Sums of a merchant's local day, with and without products, for statistics over weeks. Queries name each day, so that the key also finds
-- the days of one machine.
create table sales_daily (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  primary key (merchant_id, day, machine_id, type, media_type, media_source)
);
call guard_tenant_table('sales_daily');
call read_scope_once('sales_daily');

create table product_sales_daily (
  merchant_id uuid not null,
  day date not null,
  machine_id uuid not null,
  type smallint not null,
  media_type smallint not null,
  media_source smallint not null,
  price_table smallint not null,
  product text not null,
  count bigint not null,
  value bigint not null,
  value_charge bigint not null,
  free_count bigint not null,
  error_count bigint not null,
  primary key (merchant_id, day, machine_id, type, media_type, media_source, price_table, product)
);
call guard_tenant_table('product_sales_daily');
call read_scope_once('product_sales_daily');

-- Days that have been summed up.
create table summed_days (
  merchant_id uuid not null,
  day date not null,
  summed_at timestamptz not null,
  primary key (merchant_id, day)
);
call guard_tenant_table('summed_days');

-- Days with late items. Rows are only inserted, in the transaction that stores the items, so that no transaction waits; summing up a day
-- deletes the rows that its snapshot sees. Until then the day is read from its hours.
create table changed_days (
  merchant_id uuid not null,
  day date not null,
  id uuid not null,
  primary key (merchant_id, day, id)
);
call guard_tenant_table('changed_days');

-- Seconds of an hour with an open blocking alarm and, separately, with the machine absent. For days that have been summed up; hours
-- without either have no row.
create table downtime_hourly (
  merchant_id uuid not null,
  hour timestamptz not null,
  machine_id uuid not null,
  blocked_seconds int not null,
  absent_seconds int not null,
  primary key (merchant_id, hour, machine_id)
);
call guard_tenant_table('downtime_hourly');
create index downtime_hourly_by_machine on downtime_hourly (merchant_id, machine_id, hour);
