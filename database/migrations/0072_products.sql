-- What merchants sell, and what their machines call it.

create table products (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  code text not null check (length(code) between 1 and 40),
  name text not null check (length(name) between 1 and 120),
  description text,
  -- A hot, B cold, C snack, D non-food.
  product_type text not null check (product_type in ('A', 'B', 'C', 'D')),
  -- A percentage.
  vat numeric(5, 2) check (vat between 0 and 100),
  gtin text,
  -- Minor units of the merchant's currency.
  cost bigint check (cost >= 0),
  allergens text[] not null default '{}',
  -- Names and values, [{"name": "Line", "value": "Bio"}]; reports group by them.
  parameters jsonb not null default '[]',
  -- A small picture as a data URL, read with lists; the full one is in product_pictures.
  thumbnail text check (length(thumbnail) <= 20000),
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('products');
-- Machines and files name products by code, ignoring case.
create unique index products_by_code on products (merchant_id, lower(code));
create index products_by_name on products (merchant_id, lower(name), id);
call make_searchable('products', '{code,name,description,gtin}');

create table product_pictures (
  merchant_id uuid not null,
  product_id uuid not null,
  kind text not null check (kind in ('png', 'jpeg', 'webp')),
  bytes bytea not null check (octet_length(bytes) <= 1000000),
  primary key (merchant_id, product_id),
  foreign key (merchant_id, product_id) references products (merchant_id, id) on delete cascade
);
call guard_tenant_table('product_pictures');

-- A directory of the product names that machines send, filled with sales, prices, stock and audits. Sums keep the name that the machine
-- sent; reading them through this directory shows the product.
create table product_codes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- What sums are kept by: the product's name as sent, otherwise its code.
  code text not null check (length(code) between 1 and 80),
  machine_code text,
  product_id uuid,
  first_seen_at timestamptz not null,
  -- The machine that sent it first. No foreign key: a deleted machine's sales stay.
  seen_at_machine uuid not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, product_id) references products (merchant_id, id)
);
call guard_tenant_table('product_codes');
create unique index product_codes_by_code on product_codes (merchant_id, code);
-- The codes of a product, and codes without a product.
create index product_codes_by_product on product_codes (merchant_id, product_id);
