-- Sales of a product keep its name, cost and VAT when the product is deleted: its terms stay, and its codes mean it until a day.

-- No foreign key: the terms of a deleted product still apply to its sales.
alter table former_product_terms drop constraint former_product_terms_merchant_id_product_id_fkey;

-- What reports name and group the sales of a deleted product by.
create table deleted_products (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  product_type text not null,
  parameters jsonb not null default '[]',
  primary key (merchant_id, id)
);
call guard_tenant_table('deleted_products');

-- The deleted product that a machine's code meant until a day, which is the first without it.
create table former_product_codes (
  merchant_id uuid not null,
  code text not null,
  until date not null,
  product_id uuid not null,
  primary key (merchant_id, code, until),
  foreign key (merchant_id, product_id) references deleted_products (merchant_id, id)
);
call guard_tenant_table('former_product_codes');
create index former_product_codes_by_day on former_product_codes (merchant_id, until);
create index former_product_codes_by_product on former_product_codes (merchant_id, product_id);
