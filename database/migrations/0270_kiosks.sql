-- Wall displays: links that show a merchant's figures and map without a sign-in. A link is shown once; the table holds its hash only. Read by
-- merchant, which has a few, and by key: the link itself names the merchant.
create table kiosks (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  shows text not null check (shows in ('dashboard', 'map', 'both')),
  -- Null: the whole merchant. A display ends with its group.
  group_id uuid,
  token_hash text not null,
  last_day date not null,
  created_at timestamptz not null,
  -- Whose rights the display depends on.
  created_by uuid not null,
  created_by_name text not null,
  last_used_at timestamptz,
  last_used_from text,
  primary key (merchant_id, id),
  unique (merchant_id, name),
  unique (merchant_id, token_hash),
  foreign key (merchant_id, group_id) references groups (merchant_id, id) on delete cascade
);
call guard_tenant_table('kiosks');
