-- What a merchant's own admins set, the tokens of its integrations, and the log of who changed what as a list.

-- Two admins may edit the same settings; what no form takes, no call stores.
alter table merchant_settings
  add column version int not null default 1,
  add check (maximum_refund between 0 and 1000000000),
  add check (peripheral_events_minutes between 1 and 1440),
  add check (scheduled_audit_minutes between 0 and 43200),
  add check (minimum_signal_percent between 0 and 100),
  add check (audit_exceeded_hours between 1 and 8760),
  add check (cloud_credit_unlock_hours between 1 and 8760);

-- Tokens by which an integration reads a merchant's data. They are said once; here are their hashes alone. Read by merchant, of
-- which each has a few, and by the key.
create table api_tokens (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- How it begins, so that people know which one it is.
  hint text not null,
  token_hash text not null,
  -- The one before the last rotation, while it is still taken.
  previous_hash text,
  previous_until timestamptz,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null,
  created_by_name text not null,
  rotated_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  primary key (merchant_id, id),
  unique (merchant_id, name),
  check ((previous_hash is null) = (previous_until is null))
);
call guard_tenant_table('api_tokens');

-- Local: a token names no merchant; its hash leads to it. What stands here opens nothing: the token's own row decides.
create table api_token_directory (
  token_hash text primary key,
  merchant_id uuid not null,
  token_id uuid not null
);
grant select, insert, delete on api_token_directory to gettone_system;
-- What a token leaves behind when it is rotated or revoked.
create index api_token_directory_by_token on api_token_directory (merchant_id, token_id);

-- The log as a list, newest first: whole, and narrowed to a person, an action or a kind of subject. A page is entered at its cursor.
create index change_log_by_time on change_log (merchant_id, at, id);
create index change_log_by_user on change_log (merchant_id, user_id, at, id);
create index change_log_by_action on change_log (merchant_id, action, at, id);
create index change_log_by_type on change_log (merchant_id, subject_type, at, id);

-- People are local, out of the tenants' reach; the log must know of whom merchants are told nothing.
create function invisible_people() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from users where invisible_to_merchants
$$;
revoke execute on function invisible_people from public;
grant create on schema public to gettone_system;
alter function invisible_people owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function invisible_people to gettone_app;
