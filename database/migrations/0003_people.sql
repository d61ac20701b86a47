-- Users, their merchants and groups, and the log of their sessions. All local, because a user may have several merchants: only
-- gettone_system reads them.

-- Local. An invited user has no subject until the first sign-in through the invitation.
create table users (
  id uuid primary key,
  issuer text,
  subject text,
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null,
  language text,
  status text not null check (status in ('invited', 'active', 'suspended')),
  -- Each user chooses whether to get alarm mail.
  receive_notifications boolean not null default false,
  -- Users of the provider, hidden from merchants' own admins.
  invisible_to_merchants boolean not null default false,
  allow_licensing boolean not null default false,
  -- The last visit, within minutes; null: never.
  last_seen_at timestamptz,
  -- A signed token remains valid after its session ends. Ending a user's sessions sets this instant, and every token issued before is
  -- refused. Read with the user on every request, by the index of issuer and subject; null: never set.
  sessions_valid_from timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  unique (issuer, subject)
);
grant select, insert, update, delete on users to gettone_system;
create index users_invisible on users (id) where invisible_to_merchants;
-- For searches of three letters or more. The table has no row-level security, so ILIKE uses the index.
create index users_by_text on users using gin ((email || ' ' || name) gin_trgm_ops);
-- For the orders of the list and its filters with few values; the order by e-mail uses the unique key.
create index users_by_name on users (lower(name), email);
create index users_by_role on users (role, email);
create index users_by_status on users (status, email);
create index users_by_creation on users (created_at, email);
create index users_by_visit on users (last_seen_at desc nulls last, email desc);

-- Local. A merchant admin always has whole merchants: the settings of an admin (PIN, alarm mail, tokens) affect every group.
create table user_merchants (
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  all_groups boolean not null,
  primary key (user_id, merchant_id)
);
grant select, insert, update, delete on user_merchants to gettone_system;
-- Finds and counts the users of a merchant from the index alone.
create index user_merchants_by_merchant on user_merchants (merchant_id, user_id);

-- Local.
create table user_groups (
  user_id uuid not null,
  merchant_id uuid not null,
  group_id uuid not null,
  primary key (user_id, merchant_id, group_id),
  foreign key (user_id, merchant_id) references user_merchants (user_id, merchant_id) on delete cascade
);
grant select, insert, update, delete on user_groups to gettone_system;
-- Finds the users of a group, however many users there are.
create index user_groups_group on user_groups (merchant_id, group_id);

-- Local: what users did to their own account and session; append-only.
create table session_log (
  id uuid primary key,
  user_id uuid not null,
  at timestamptz not null,
  type text not null,
  reason text not null
);
grant select, insert on session_log to gettone_system;

-- The tenant role cannot read users, but the change log needs the ids of users who are hidden from merchants.
create function invisible_people() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from users where invisible_to_merchants
$$;
revoke execute on function invisible_people from public;
grant create on schema public to gettone_system;
alter function invisible_people owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function invisible_people to gettone_app;
