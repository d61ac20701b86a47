-- The secret from which the deployment's other secrets follow, encrypted with each SECRET_KEY that opens it: one key, or two while one replaces the other.
-- Only the owner reads it.
create table deployment_secrets (
  key_fingerprint text primary key,
  sealed text not null,
  created_at timestamptz not null default now()
);

-- One row each time the passwords of the two roles were replaced. They follow from the newest generation and the deployment's secret.
create table role_password_generations (
  generation int primary key check (generation > 0),
  created_at timestamptz not null default now()
);

-- Keys of the identity provider that were replaced. They sign nothing, but what they signed is accepted until they are dropped.
create table identity_former_keys (
  id uuid primary key,
  use text not null check (use in ('sign', 'cookie')),
  sealed text not null,
  replaced_at timestamptz not null
);
grant select, insert, delete on identity_former_keys to gettone_system;
