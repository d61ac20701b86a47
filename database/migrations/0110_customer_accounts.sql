-- Accounts of end customers at the key portal of one merchant, apart from users: sign-in by mailed links or a password.

-- An account belongs to a customer and ends with it. Its e-mail address was proven by a mailed link.
create table customer_accounts (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- In lower case.
  email text not null check (email = lower(email)),
  -- Null: signs in by links only.
  password_hash text,
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id) on delete cascade
);
call guard_tenant_table('customer_accounts');
create unique index customer_accounts_email on customer_accounts (merchant_id, email);

-- Mailed links, by the hash of their token. Each works once.
create table customer_links (
  merchant_id uuid not null,
  hash text not null,
  email text not null check (email = lower(email)),
  -- Of a new account; an existing one keeps its own.
  name text check (length(name) between 1 and 200),
  language text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (merchant_id, hash)
);
call guard_tenant_table('customer_links');
create index customer_links_by_email on customer_links (merchant_id, email, created_at);
create index customer_links_by_end on customer_links (expires_at);

-- Signed-in browsers. The refresh token is replaced at each use; the previous one is known, so that its second use is noticed.
create table customer_sessions (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  token_hash text not null,
  previous_hash text,
  -- It began with a mailed link: for a while, the password may be set without the current one.
  is_by_link boolean not null,
  created_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customer_accounts (merchant_id, customer_id) on delete cascade
);
call guard_tenant_table('customer_sessions');
create index customer_sessions_by_customer on customer_sessions (merchant_id, customer_id);
-- The recharges that a customer started.
create index web_payment_orders_by_creator on web_payment_orders (merchant_id, created_by, created_at desc) where created_by is not null;

create index customer_sessions_by_end on customer_sessions (expires_at);
