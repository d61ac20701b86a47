-- A known machine renews its secret with the secret it has, or while an admin's window is open.
alter table machines add column reassociation_until timestamptz;

alter table machine_secrets
  -- Renews the secret as well, until the machine has signed in with the new one: the answer may have been lost.
  add column previous_hash text,
  -- Whether the machine has signed in with it.
  add column is_used boolean not null default true;
