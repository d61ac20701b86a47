-- Colleagues who get the mails of a report beside its owner.
create table report_readers (
  merchant_id uuid not null,
  report_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  -- The `next_at` of the last mail that needs no further try: sent, or given up.
  settled_for timestamptz,
  -- Why the last one was not sent.
  failure text,
  primary key (merchant_id, report_id, user_id),
  foreign key (merchant_id, report_id) references reports (merchant_id, id) on delete cascade
);
call guard_tenant_table('report_readers');

-- The same of the owner. A mail that one reader did not get is tried again for this reader alone.
alter table reports add column settled_for timestamptz;
