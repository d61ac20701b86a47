-- The history of licences.
create table licence_events (
  merchant_id uuid not null,
  id uuid not null,
  licence_id uuid not null,
  at timestamptz not null,
  act text not null,
  -- The status after it.
  status smallint not null check (status between 0 and 6),
  by_kind text not null check (by_kind in ('user', 'client', 'connector', 'clock')),
  by_id uuid,
  by_name text,
  -- The machine of the licence after it.
  pos_id uuid not null,
  unassign_case text,
  detail text check (length(detail) <= 254),
  primary key (merchant_id, id),
  foreign key (merchant_id, licence_id) references licences (merchant_id, id) on delete cascade
);
call guard_tenant_table('licence_events');
create index licence_events_by_licence on licence_events (merchant_id, licence_id, at desc, id desc);

-- Mails before the end of a licence, each once: the row is written before the mail is sent, and locked while it is sent.
create table licence_reminders (
  merchant_id uuid not null,
  licence_id uuid not null,
  -- The end that it reminds of: a licence with a later end gets new reminders.
  expires_on date not null,
  days int not null check (days > 0),
  -- The message's id: a mail that is sent again after a crash keeps it.
  mail_id uuid not null,
  next_attempt_at timestamptz not null,
  attempts int not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text check (length(failure) <= 500),
  primary key (merchant_id, licence_id, expires_on, days),
  foreign key (merchant_id, licence_id) references licences (merchant_id, id) on delete cascade
);
call guard_tenant_table('licence_reminders');
create index licence_reminders_due on licence_reminders (next_attempt_at) where sent_at is null and given_up_at is null;
