-- Payments on the web: the provider's services, each merchant's account with them, their orders, and what was reported about each order.

-- Local: the services that the provider offers to all merchants. Types are the numbers of webPaymentTypes.
create table web_payment_services (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  description text check (length(description) between 1 and 500),
  url text not null check (length(url) between 1 and 2048),
  type smallint not null check (type between 0 and 4),
  version int not null default 1,
  created_at timestamptz not null
);
grant select, insert, update, delete on web_payment_services to gettone_system;
create unique index web_payment_services_name on web_payment_services (lower(name));

-- A merchant's account with a service. Its id owns the account "provider" of the ledger.
create table web_payment_configs (
  merchant_id uuid not null,
  id uuid not null,
  service_id uuid not null,
  is_active boolean not null,
  -- Credentials that are no secrets, by name.
  credentials jsonb not null default '{}',
  -- The secret ones, encrypted with the deployment's key as one text. Empty: none is set.
  sealed text not null default '',
  -- The names of the secrets that are set.
  secrets text[] not null default '{}',
  set_at timestamptz not null,
  set_by uuid not null,
  set_by_name text not null,
  version int not null default 1,
  primary key (merchant_id, id),
  unique (merchant_id, service_id)
);
call guard_tenant_table('web_payment_configs');

create table web_payment_orders (
  merchant_id uuid not null,
  -- Made by the caller: the same order sent again is the same order.
  id uuid not null,
  -- Sent to the provider, and the secret of the payer's link: 26 random letters and digits.
  reference text not null check (reference ~ '^[0-9a-z]{26}$'),
  config_id uuid not null,
  -- The name and type of the service at the creation of the order.
  service_id uuid not null,
  service_name text not null,
  service_type smallint not null,
  kind text not null check (kind in ('recharge', 'payment')),
  state text not null default 'waiting' check (state in ('waiting', 'paid', 'failed', 'reversed')),
  -- Why it failed.
  reason text check (reason in ('declined', 'cancelled', 'expired', 'notStarted', 'reversed')),
  -- 0 waiting, 1 success, 2 error.
  result smallint not null generated always as (case state when 'waiting' then 0 when 'paid' then 1 else 2 end) stored,
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null,
  -- The part that the provider has taken back.
  reversed_amount bigint not null default 0 check (reversed_amount between 0 and amount),
  -- The part of it that the medium had spent before.
  unpaid bigint not null default 0 check (unpaid >= 0),
  media_id uuid,
  media_serial text,
  description text check (length(description) between 1 and 200),
  -- The provider's number, and its page for the payer.
  transaction_number text check (length(transaction_number) <= 200),
  redirect_url text check (length(redirect_url) <= 4096),
  -- What was sent to the provider at the start, and its last answer; never a credential.
  request jsonb not null default '{}',
  response jsonb not null default '{}',
  -- Reports that were refused.
  findings int not null default 0,
  created_at timestamptz not null,
  created_by uuid,
  created_by_name text,
  processed_at timestamptz,
  -- The worker asks the provider about it next; null: never.
  next_query_at timestamptz,
  queries int not null default 0,
  expires_at timestamptz not null,
  version int not null default 1,
  primary key (merchant_id, id),
  unique (merchant_id, reference),
  foreign key (merchant_id, config_id) references web_payment_configs (merchant_id, id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id),
  check ((kind = 'recharge') = (media_id is not null))
);
call guard_tenant_table('web_payment_orders');
call make_searchable('web_payment_orders', '{reference,transaction_number,media_serial,service_name,description}');
-- A payer's link names no merchant.
create index web_payment_orders_by_reference on web_payment_orders (reference);
-- The list shows the newest first.
create index web_payment_orders_by_time on web_payment_orders (merchant_id, created_at desc, id desc);
create index web_payment_orders_by_media on web_payment_orders (merchant_id, media_id, created_at desc) where media_id is not null;
create index web_payment_orders_due on web_payment_orders (next_query_at) where next_query_at is not null;

-- What a provider reported about an order, each report once.
create table web_payment_reports (
  merchant_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  -- The digest of the report.
  key text not null check (length(key) between 1 and 64),
  source text not null check (source in ('callback', 'query')),
  state text not null check (state in ('waiting', 'paid', 'failed', 'reversed')),
  amount bigint,
  currency text,
  -- What it did, or why it was refused.
  verdict text not null,
  times int not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, order_id, key),
  foreign key (merchant_id, order_id) references web_payment_orders (merchant_id, id)
);
call guard_tenant_table('web_payment_reports');
