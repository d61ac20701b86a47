-- People, whom they work for, and what they did to their own account. They are local, since one may work for several merchants: only
-- gettone_system reaches them.

-- Local. An invited person has no subject until the first sign-in through the invitation.
create table users (
  id uuid primary key,
  issuer text,
  subject text,
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null,
  language text,
  status text not null check (status in ('invited', 'active', 'suspended')),
  -- Mail about alarms is asked for by each person.
  receive_notifications boolean not null default false,
  -- Working for the provider: merchants' own admins are not shown such a person.
  invisible_to_merchants boolean not null default false,
  allow_licensing boolean not null default false,
  -- When the person last opened the portal, within minutes; null: never.
  last_seen_at timestamptz,
  -- A signed token lives on by itself after its session has ended. What ends a person's sessions sets this instant, and every token
  -- that was made before it is refused. Read with the person on every request, by the index of issuer and subject; null: never set.
  sessions_valid_from timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  unique (issuer, subject)
);
grant select, insert, update, delete on users to gettone_system;
create index users_invisible on users (id) where invisible_to_merchants;
-- Searches from three letters on. The table has no row-level security, so ILIKE reaches its index.
create index users_by_text on users using gin ((email || ' ' || name) gin_trgm_ops);
-- One for each order of the list, and for its filters of few values; by e-mail it is the unique key.
create index users_by_name on users (lower(name), email);
create index users_by_role on users (role, email);
create index users_by_status on users (status, email);
create index users_by_creation on users (created_at, email);
create index users_by_visit on users (last_seen_at desc nulls last, email desc);

-- Local. A merchant admin is of whole merchants: what they set (the PIN, who is mailed, tokens) reaches every group.
create table user_merchants (
  user_id uuid not null references users (id) on delete cascade,
  merchant_id uuid not null,
  all_groups boolean not null,
  primary key (user_id, merchant_id)
);
grant select, insert, update, delete on user_merchants to gettone_system;
-- People are looked up by their merchant, and counted there without a look at the rows themselves.
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
-- Who has a group among theirs, whatever the number of people.
create index user_groups_group on user_groups (merchant_id, group_id);

-- Local: what people did to their own account and session; append-only.
create table session_log (
  id uuid primary key,
  user_id uuid not null,
  at timestamptz not null,
  type text not null,
  reason text not null
);
grant select, insert on session_log to gettone_system;

-- People are out of the tenants' reach; the change log must know of whom merchants are told nothing.
create function invisible_people() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from users where invisible_to_merchants
$$;
revoke execute on function invisible_people from public;
grant create on schema public to gettone_system;
alter function invisible_people owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function invisible_people to gettone_app;
