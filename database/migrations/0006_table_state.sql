-- How each person looks at their tables, and the views of them that somebody has named.

-- Local: a person's own, across merchants. All of a person's are read at once, by the primary key.
create table table_states (
  user_id uuid not null references users (id) on delete cascade,
  table_id text not null,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (user_id, table_id)
);

-- Local: views of one person alone. merchant_id is the path's, which may be the placeholder of all distributors.
create table private_views (
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  id uuid not null,
  table_id text not null,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  sort_options jsonb,
  headers jsonb,
  created_by_name text not null,
  created_at timestamptz not null,
  primary key (user_id, merchant_id, id)
);
-- Two of one name could not be told apart; a table's views are read by it as well.
create unique index private_views_by_name on private_views (user_id, merchant_id, table_id, lower(name));

grant select, insert, update, delete on table_states, private_views to gettone_system;

-- Views that everybody of a merchant sees.
create table shared_views (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  table_id text not null,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  sort_options jsonb,
  headers jsonb,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('shared_views');
create unique index shared_views_by_name on shared_views (merchant_id, table_id, lower(name));
