-- Reports that users save, and have mailed on a schedule.

create table reports (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- A private report is visible to its owner only. A scheduled report is mailed to its owner.
  owner_id uuid not null,
  owner_name text not null,
  name text not null check (length(name) between 1 and 80),
  is_shared boolean not null,
  -- Type, grouping, period and filters; read with the schema of today.
  definition jsonb not null,
  -- {"every": "week", "day": 1, "hour": 7} by the merchant's clock.
  schedule jsonb,
  -- The next mail, and its next try after a failed one.
  next_at timestamptz,
  try_at timestamptz,
  tries int not null default 0,
  last_sent_at timestamptz,
  -- Why the last one was not sent.
  failure text,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('reports');
create unique index reports_by_name on reports (merchant_id, owner_id, lower(name));
-- What the worker sends next.
create index reports_due on reports (try_at) where try_at is not null;

-- Refunds of the sales of a period.
create index refunds_by_sale on refunds (merchant_id, transaction_at) where transaction_at is not null;

-- Files of messages in the development mailbox.
create table mailbox_attachments (
  mail_id uuid not null references mailbox (id) on delete cascade,
  position int not null,
  name text not null,
  type text not null,
  bytes bytea not null,
  primary key (mail_id, position)
);
grant select, insert, update, delete on mailbox_attachments to gettone_system;

-- Starts the worker's task that mails reports, in the transaction that makes one due. Without a queue, the worker finds it within a minute.
create function queue_report_mails() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('mailReports', job_key => 'mailReports', queue_name => 'mailReports', max_attempts => 1);
end $$;
revoke execute on function queue_report_mails from public;
grant execute on function queue_report_mails to gettone_app;
