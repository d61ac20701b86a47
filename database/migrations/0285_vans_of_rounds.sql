-- A round has a van, and a van its driver. Users are in local tables, so the driver's name is kept here.
alter table rounds add column van_id uuid;
create index rounds_by_van on rounds (merchant_id, van_id, day) where van_id is not null;
alter table stock_places
  add column driver_id uuid,
  add column driver_name text;
create index stock_places_by_driver on stock_places (merchant_id, driver_id) where driver_id is not null;

-- What a visit took out of a van, under the visit's id, and what was picked for a round.
alter table piece_operations
  add column round_id uuid,
  add column machine_id uuid;
-- Existing rows met the narrower check, so they are not read again under the lock.
alter table piece_operations drop constraint piece_operations_kind_check;
alter table piece_operations
  add constraint piece_operations_kind_check
  check (kind in ('purchase', 'transfer', 'supplierReturn', 'waste', 'count', 'visit')) not valid;
create index piece_operations_by_round on piece_operations (merchant_id, round_id) where round_id is not null;

-- When a product was last counted at a place: the count included what a visit that arrives later had taken out before it.
create table place_counts (
  merchant_id uuid not null,
  place_id uuid not null,
  product_id uuid not null,
  counted_at timestamptz not null,
  primary key (merchant_id, place_id, product_id),
  foreign key (merchant_id, place_id) references stock_places (merchant_id, id) on delete cascade
);
call guard_tenant_table('place_counts');
