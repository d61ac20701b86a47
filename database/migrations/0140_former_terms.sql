-- Terms that ended: what a product cost, where a machine was and what a client got, until a day of the merchant. The records themselves hold the
-- terms of today, so nothing is stored twice, and a record that never changed has no rows. `until` is the first day without these terms:
-- a row holds from the `until` before it.

create table former_product_terms (
  merchant_id uuid not null,
  product_id uuid not null,
  until date not null,
  cost bigint,
  vat numeric(5, 2),
  primary key (merchant_id, product_id, until),
  foreign key (merchant_id, product_id) references products (merchant_id, id) on delete cascade
);
call guard_tenant_table('former_product_terms');
-- A report asks first whether anything has changed since its first day.
create index former_product_terms_by_day on former_product_terms (merchant_id, until);

create table former_machine_places (
  merchant_id uuid not null,
  machine_id uuid not null,
  until date not null,
  -- No foreign keys: the sales of a deleted group or client stay under its name.
  group_id uuid,
  client_id uuid,
  primary key (merchant_id, machine_id, until),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('former_machine_places');
create index former_machine_places_by_day on former_machine_places (merchant_id, until);

-- No foreign key: the agreement of a deleted client still applies to its sales.
create table former_client_terms (
  merchant_id uuid not null,
  client_id uuid not null,
  until date not null,
  commission_kind text not null check (commission_kind in ('none', 'percent', 'perVend')),
  commission_percent numeric(5, 2),
  commission_per_vend bigint,
  primary key (merchant_id, client_id, until)
);
call guard_tenant_table('former_client_terms');
create index former_client_terms_by_day on former_client_terms (merchant_id, until);

-- The names of deleted groups and clients, for reports of their time.
create table deleted_places (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('deleted_places');
