-- The sessions that people have at the embedded provider, so that they see and end them one by one. The row is what keeps a session's
-- tokens alive: they name it, and without it they are refused with the next request. Renewed with each token, every few minutes.
create table identity_sessions (
  id uuid primary key,
  -- The provider's own name of the session (identity_state.uid).
  provider_uid text not null unique,
  user_id uuid not null references users (id) on delete cascade,
  since timestamptz not null,
  last_used_at timestamptz not null,
  address text not null,
  user_agent text not null
);
-- A person's own are listed, and all of them end with a new password.
create index identity_sessions_by_user on identity_sessions (user_id, last_used_at);

grant select, insert, update, delete on identity_sessions to gettone_system;
