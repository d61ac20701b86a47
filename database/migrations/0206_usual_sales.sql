-- What machines sell on a usual day. The machines worth a visit are put in order by it: adding up four weeks of all of them for each look would
-- take a second at ten thousand machines. The worker computes it once a day.
create table machine_usual_sales (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The local day on which it was computed: the days before count.
  day date not null,
  -- Minor units of the merchant's currency.
  per_day double precision not null,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_usual_sales');
call read_scope_once('machine_usual_sales');

-- Selections that are out or low: few of many.
create index machine_stock_short on machine_stock (merchant_id, machine_id) include (status) where status in (1, 4) and not gone;
