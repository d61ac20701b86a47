-- The books of stock. A selection of a managed machine has a balance, the sum of its movements; its level is what is shown of it. The level
-- of other machines is their last report, as before.

-- Every change of a selection's stock. Only added to.
create table stock_movements (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- When it happened, by the machine's corrected clock or the server's.
  at timestamptz not null,
  selection text not null check (length(selection) between 1 and 20),
  -- A sale has the id of its transaction, so that none is booked twice.
  id uuid not null,
  kind text not null check (kind in ('sale', 'refill', 'correction', 'report', 'waste')),
  amount int not null,
  -- The first count of a selection: what was there before is unknown, so the difference is no shrinkage.
  opening boolean not null default false,
  -- Balances a movement that arrived after a later count: that count included it already.
  late boolean not null default false,
  -- The machine's item; null for users.
  epoch int,
  seq bigint,
  visit_id uuid,
  changed_by uuid,
  changed_by_name text,
  created_at timestamptz not null default now(),
  primary key (merchant_id, machine_id, at, selection, id),
  -- A count that changed nothing is kept where a user made it.
  check (amount <> 0 or kind = 'correction')
) partition by range (at);
call guard_tenant_table('stock_movements');
revoke update, delete on stock_movements from gettone_app, gettone_system;

-- By the rule of domain/stock/stock.ts; a test compares the two.
drop index machine_stock_out;
alter table machine_stock drop column status;
alter table machine_stock
  add column status smallint not null generated always as (
    case
      when level = 0 then 1
      when coalesce(level <= case when warning_level is null then capacity / 5 else least(warning_level, capacity - 1) end, false) then 4
      else 9
    end) stored,
  -- What the machine said last; null: it never did, and the row comes from the planogram.
  add column reported int,
  add column reported_capacity int,
  add column reported_warning int,
  -- Capacity and warning level come from the machine's planogram, with the value up to which the selection is refilled.
  add column planned boolean not null default false,
  add column refill_value int,
  -- The sum of the movements; negative when more was sold than was booked. `carried` is the part whose months are dropped.
  add column balance int not null default 0,
  add column carried int not null default 0,
  -- The newest count, by its machine's item or by time: only later sales and refills change the balance.
  add column anchor_kind text check (anchor_kind in ('report', 'refill', 'correction')),
  add column anchor_at timestamptz,
  add column anchor_epoch int,
  add column anchor_seq bigint,
  add column anchor_opening boolean not null default false,
  -- Not counted: the level is assumed from the planogram's refill value.
  add column anchor_assumed boolean not null default false,
  -- The latest sale, refill or waste, by time and by the machine's item: a later count need not read the movements.
  add column moved_at timestamptz,
  add column moved_epoch int,
  add column moved_seq bigint,
  -- Average sales per weekday of the last four weeks, Monday first; null: not computed.
  add column usual real[] check (array_length(usual, 1) = 7),
  add constraint machine_stock_anchor check ((anchor_kind is null) = (anchor_at is null));
update machine_stock set reported = level, reported_capacity = capacity, reported_warning = warning_level;
-- Sold-out selections for the dashboard: few of many.
create index machine_stock_out on machine_stock (merchant_id, machine_id) where status = 1 and not gone;
-- The total of hot drinks, which a sale of any of them lowers.
create index machine_stock_hot on machine_stock (merchant_id, machine_id) where stock_type = 1;

-- The same as machines.manage_stock, read with the lock at the start of every ingest transaction.
alter table machine_journals add column manages_stock boolean not null default false;

-- The stock of each managed machine in a few numbers, for lists.
create table machine_supplies (
  merchant_id uuid not null,
  machine_id uuid not null,
  selections int not null,
  -- Of the selections with a capacity.
  level int not null,
  capacity int not null,
  fill_percent int generated always as (case when capacity > 0 then (100::bigint * level / capacity)::int end) stored,
  out int not null,
  low int not null,
  -- When the first selection is empty by the usual sales; null: none will be.
  empty_at timestamptz,
  -- Minor units per day: usual sales of empty selections times their price. An estimate.
  lost_per_day bigint not null,
  computed_at timestamptz not null,
  -- Since when stock has changed that the numbers lack.
  stale_at timestamptz,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
) with (fillfactor = 70);
call guard_tenant_table('machine_supplies');
create index machine_supplies_by_empty on machine_supplies (merchant_id, empty_at);
-- The worker computes these again.
create index machine_supplies_stale on machine_supplies (stale_at) where stale_at is not null;
