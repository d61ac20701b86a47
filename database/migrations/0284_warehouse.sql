-- Warehouses and vans: places of the merchant that hold products.
create table stock_places (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('warehouse', 'van')),
  licence_plate text,
  address text,
  note text,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('stock_places');
create unique index stock_places_by_name on stock_places (merchant_id, lower(name));
call make_searchable('stock_places', '{name,licence_plate,address}');

-- Pieces of one delivery. Lots are never changed.
create table product_lots (
  merchant_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  -- The supplier's own number of the lot.
  code text check (length(code) between 1 and 40),
  -- The last day of sale.
  expires_on date,
  -- Minor units a piece, net of VAT.
  unit_cost bigint check (unit_cost >= 0),
  received_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('product_lots');
revoke update, delete on product_lots from gettone_app, gettone_system;

-- What a place has of each lot: the sum of its entries, kept beside them. The lot of zeros is pieces that no delivery explains.
create table place_lots (
  merchant_id uuid not null,
  place_id uuid not null,
  product_id uuid not null,
  lot_id uuid not null,
  pieces int not null,
  primary key (merchant_id, place_id, product_id, lot_id),
  foreign key (merchant_id, place_id) references stock_places (merchant_id, id) on delete cascade,
  check (pieces >= 0 or lot_id = '00000000-0000-0000-0000-000000000000')
) with (fillfactor = 80);
call guard_tenant_table('place_lots');

-- The book of pieces. Only added to: a mistake is corrected by another operation. The entries of an operation add up to zero, product by product.
create table piece_operations (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('purchase', 'transfer', 'supplierReturn', 'waste', 'count')),
  -- When it happened; booked_at: when the server learned of it.
  at timestamptz not null,
  booked_at timestamptz not null,
  place_id uuid not null,
  to_place_id uuid,
  supplier text,
  document text,
  note text,
  user_id uuid,
  user_name text,
  -- Of the content, so that the same operation sent again is known from another one under its id.
  digest text not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('piece_operations');
revoke update, delete on piece_operations from gettone_app, gettone_system;

create table piece_entries (
  merchant_id uuid not null,
  operation_id uuid not null,
  account text not null check (account in ('place', 'machine', 'supplier', 'waste', 'difference')),
  -- A place or a machine; the merchant itself for the others.
  owner_id uuid not null,
  product_id uuid not null,
  lot_id uuid not null,
  pieces int not null check (pieces <> 0),
  at timestamptz not null,
  primary key (merchant_id, operation_id, account, owner_id, product_id, lot_id),
  foreign key (merchant_id, operation_id) references piece_operations (merchant_id, id)
);
call guard_tenant_table('piece_entries');
revoke update, delete on piece_entries from gettone_app, gettone_system;
-- What entered and left a place, newest first.
create index piece_entries_by_owner on piece_entries (merchant_id, owner_id, at desc, operation_id desc);
