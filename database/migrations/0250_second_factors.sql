-- Second factors of users of the embedded identity provider. All local, since users belong to no tenant; only gettone_system reads them.
create table identity_factors (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('app', 'passkey')),
  -- The user's own name of it.
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- An authenticator app: its secret, sealed with the deployment's secret, and the time step of the last code, since a code is used once.
  sealed_secret text,
  last_step bigint,
  -- A passkey: its id and public key, the host that it is bound to, and the authenticator's counter.
  credential_id text,
  public_key text,
  host text,
  counter bigint,
  transports text[],
  check (
    case kind
      when 'app' then sealed_secret is not null
      else credential_id is not null and public_key is not null and host is not null and counter is not null
    end
  )
);
-- A sign-in reads the user's factors; a sign-in without a password finds a passkey by its id.
create index identity_factors_by_user on identity_factors (user_id);
create unique index identity_factors_by_credential on identity_factors (credential_id) where credential_id is not null;

-- Only hashes are stored. A used code stays until the user gets new ones, so that the user sees how many are left.
create table identity_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  hash text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);
grant select, insert, update, delete on identity_factors, identity_recovery_codes to gettone_system;

-- Which roles need a second factor at a merchant is read with its demo at every request: it belongs to the row that every node has.
-- Sign-ins from second_factor_since on need it.
alter table merchants add column second_factor_roles text[] not null default '{}';
alter table merchants add column second_factor_since timestamptz;
