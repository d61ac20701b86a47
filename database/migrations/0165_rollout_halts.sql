-- Which machines of a rollout have received its version: they go back with it, whatever becomes of them afterwards.
alter table rollout_machines add column received_at timestamptz;
update rollout_machines set received_at = coalesce(reported_at, sent_at)
  where direction = 'forward' and (reported_at is not null or state in ('confirmed', 'silent', 'alarmed')
    or (state = 'current' and attempts > 0));

-- Users who may resume a halted rollout are mailed once per halt.
alter table rollouts
  -- No mail about its halt has been prepared.
  add column is_notice_due boolean not null default false,
  -- The user who halted it: they know.
  add column halted_by uuid;
-- The worker looks for them among all merchants.
create index rollouts_with_notice on rollouts (merchant_id, id) where is_notice_due;
-- The dashboard lists the halted rollouts of a merchant.
create index rollouts_halted on rollouts (merchant_id, halted_at desc) where state = 'halted';

create table rollout_notices (
  merchant_id uuid not null,
  rollout_id uuid not null,
  -- A rollout that halts again has another time.
  halted_at timestamptz not null,
  user_id uuid not null,
  -- The message's id: a mail that is sent again after a crash keeps it.
  mail_id uuid not null,
  next_attempt_at timestamptz not null,
  attempts int not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text check (length(failure) <= 500),
  primary key (merchant_id, rollout_id, halted_at, user_id),
  foreign key (merchant_id, rollout_id) references rollouts (merchant_id, id) on delete cascade
);
call guard_tenant_table('rollout_notices');
create index rollout_notices_due on rollout_notices (next_attempt_at) where sent_at is null and given_up_at is null;
