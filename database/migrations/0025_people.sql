-- What a person may be besides the role, and since when the portal has not seen them.
alter table users
  -- Working for the provider: merchants' own admins are not shown such a person.
  add column invisible_to_merchants boolean not null default false,
  add column allow_licensing boolean not null default false,
  -- When the person last opened the portal, within minutes; null: never.
  add column last_seen_at timestamptz;

-- People are looked up by their merchant, and counted there without a look at the rows themselves.
create index user_merchants_by_merchant on user_merchants (merchant_id, user_id);
create index users_invisible on users (id) where invisible_to_merchants;
-- Searches from three letters on. The table has no row-level security, so ILIKE reaches its index.
create index users_by_text on users using gin ((email || ' ' || name) gin_trgm_ops);
-- One for each order of the list, and for its filters of few values; by e-mail it is the unique key.
create index users_by_name on users (lower(name), email);
create index users_by_role on users (role, email);
create index users_by_status on users (status, email);
create index users_by_creation on users (created_at, email);
create index users_by_visit on users (last_seen_at desc nulls last, email desc);
