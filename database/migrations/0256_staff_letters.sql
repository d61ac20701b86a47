-- Local: mails to users about the deployment and its integrations. A letter is written in its reader's language when it is sent.
create table staff_letters (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  -- What it is about; a user gets one letter of a kind about it.
  about text not null,
  -- The merchant whose settings the reader must still see; null: of the deployment.
  merchant_id uuid,
  facts jsonb not null,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  unique (user_id, kind, about)
);
grant select, insert, update, delete on staff_letters to gettone_system;
create index staff_letters_due on staff_letters (next_attempt_at) where sent_at is null and given_up_at is null;
