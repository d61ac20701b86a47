-- Customers: holders of media. Their data can be erased; what was paid stays.
create table customers (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  email text,
  phone text,
  language text,
  -- The customer's id at the app or key portal.
  external_user_id text,
  -- Privacy consents, each with the time of its last change; null: never given.
  consent_analysis boolean not null default false,
  consent_analysis_at timestamptz,
  consent_communications boolean not null default false,
  consent_communications_at timestamptz,
  consent_quality boolean not null default false,
  consent_quality_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('customers');
call make_searchable('customers', '{name,email,phone,external_user_id}');
create unique index customers_email on customers (merchant_id, lower(email)) where email is not null;
create index customers_by_name on customers (merchant_id, lower(name), id);

-- Payment cards as their provider keeps them. Never a full number: type, last four digits, expiry, and the provider's token.
create table customer_cards (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  type text not null check (length(type) between 1 and 40),
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null check (expiry_year between 2000 and 2100),
  is_saved boolean not null default false,
  -- Never sent to anybody but the provider.
  provider_token text,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id) on delete cascade
);
call guard_tenant_table('customer_cards');
create index customer_cards_by_customer on customer_cards (merchant_id, customer_id);

alter table medias add foreign key (merchant_id, customer_id) references customers (merchant_id, id);
-- The list shows the last used first, and those never used at the end.
drop index medias_by_use;
create index medias_by_last_use on medias (merchant_id, coalesce(last_used_at, timestamptz '-infinity'), id);

-- What was requested, so that the same batch sent again is compared, and answered alike.
alter table refund_batches
  add column medias text[] not null default '{}',
  -- [{"mediaSerial": "K1", "reason": "blocked"}]
  add column refused jsonb not null default '[]';
alter table media_findings add column closed_by uuid;
