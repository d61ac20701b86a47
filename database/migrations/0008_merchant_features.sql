-- What a merchant may use, as the provider decides. A merchant without a row has nothing switched on. Apart from merchant_settings,
-- whose fields are the merchant's own to change and hold its sealed PIN. Found by its key alone, so there is no other index.
create table merchant_features (
  merchant_id uuid primary key references merchants (id),
  features text[] not null default '{}',
  product_families text[] not null default '{}',
  -- Counted up by each save; one that names an older version is told.
  version int not null default 1
);
call guard_tenant_table('merchant_features');
