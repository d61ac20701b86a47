-- Who changed what that is no merchant's: people who work for the provider or belong to nobody, texts and thresholds that are the
-- same for all, messages that were set aside. Append-only, and out of the tenant role's reach as what it tells of is.
create table provider_log (
  id uuid primary key,
  at timestamptz not null,
  user_id uuid not null,
  user_name text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
grant select, insert on provider_log to gettone_system;
-- The newest first, as it is read.
create index provider_log_by_time on provider_log (at, id);
-- All that was done to one subject, from its own page.
create index provider_log_by_subject on provider_log (subject_id, at);
