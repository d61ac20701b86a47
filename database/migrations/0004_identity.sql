-- Data of the embedded identity provider: passwords, one-time links, sessions and codes, keys, and failed sign-ins. All local, since
-- users belong to no tenant; only gettone_system reads it.

create table identity_credentials (
  user_id uuid primary key references users (id) on delete cascade,
  password_hash text not null,
  changed_at timestamptz not null
);

-- Links of invitations and password resets. Only the hash is stored, so that a copy of the database opens nothing.
create table identity_links (
  hash text primary key,
  purpose text not null check (purpose in ('invitation', 'reset')),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
-- A new link ends the user's older ones; resets are counted per hour.
create index identity_links_by_user on identity_links (user_id, purpose);

-- State of oidc-provider (sessions, codes, interactions, grants), shared by all processes.
create table identity_state (
  model text not null,
  id text not null,
  payload jsonb not null,
  account_id text,
  grant_id text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
-- A sign-in finds its session by uid; revoking a grant deletes its tokens; a password change ends a user's sessions; expired rows are
-- deleted.
create index identity_state_by_uid on identity_state (uid) where uid is not null;
create index identity_state_by_grant on identity_state (grant_id) where grant_id is not null;
create index identity_state_by_account on identity_state (account_id) where account_id is not null;
create index identity_state_by_expiry on identity_state (expires_at) where expires_at is not null;

-- Signing and cookie keys, created by the first process that starts and sealed with the deployment's secret.
create table identity_keys (
  use text primary key check (use in ('sign', 'cookie')),
  sealed text not null,
  created_at timestamptz not null
);

-- Failed sign-ins, counted per bucket (an address and account, an account, an address). A bucket is blocked temporarily.
create table identity_attempts (
  bucket text primary key,
  failures int not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index identity_attempts_by_time on identity_attempts (last_at);

-- Users' sessions at the embedded provider, which users can see and end. Tokens name their session, and a request with a token whose
-- session has no row is refused. Updated with each new token, every few minutes.
create table identity_sessions (
  id uuid primary key,
  -- The provider's own id of the session (identity_state.uid).
  provider_uid text not null unique,
  user_id uuid not null references users (id) on delete cascade,
  since timestamptz not null,
  last_used_at timestamptz not null,
  address text not null,
  user_agent text not null
);
-- Lists a user's sessions; a new password ends all of them.
create index identity_sessions_by_user on identity_sessions (user_id, last_used_at);

grant select, insert, update, delete
  on identity_credentials, identity_links, identity_state, identity_keys, identity_attempts, identity_sessions
  to gettone_system;
