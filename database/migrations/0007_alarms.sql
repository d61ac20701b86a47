-- Events, alarms of events and of the portal's own rules, alarm settings of merchants, and alarm mail.

create table events (
  merchant_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  machine_time text,
  seq bigint,
  epoch int,
  code text not null,
  active boolean not null,
  message text,
  detail text,
  primary key (merchant_id, at, id)
) partition by range (at);
call guard_tenant_table('events');
create index events_by_machine on events (merchant_id, machine_id, at);

create table alarms (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  code text not null,
  source text not null,
  category text not null,
  criticity smallint not null check (criticity in (0, 2, 4)),
  status text not null check (status in ('active', 'notification', 'repaired', 'repairedManually')),
  message text,
  detail text,
  count int not null default 1,
  created_at timestamptz not null,
  last_at timestamptz not null,
  repaired_at timestamptz,
  repaired_by text,
  -- The user who repaired by hand may undo it; the machine's history keeps both.
  repaired_by_id uuid,
  repair_note text,
  undone_repair_at timestamptz,
  reopened_at timestamptz,
  reopened_by text,
  remaining_cycles int,
  mcbf int,
  -- The next check for mail; null: no further mail.
  notice_at timestamptz default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarms');
-- Repeated events join the open alarm of their code; there is at most one.
create unique index alarms_open on alarms (merchant_id, machine_id, code) where status in ('active', 'notification');
create index alarms_by_time on alarms (merchant_id, created_at desc, id desc);
create index alarms_by_machine on alarms (merchant_id, machine_id, created_at desc);
-- Finds alarms that overlap a period, however long the history.
create index alarms_blocking_by_end on alarms (merchant_id, (coalesce(repaired_at, 'infinity'))) where criticity = 4;
-- Finds alarms whose notices are due.
create index alarms_notice on alarms (notice_at)
  where notice_at is not null and status in ('active', 'notification');

-- An active condition of a rule. It outlives its alarm: an alarm that was repaired by hand or deleted is not raised again while the
-- condition continues. Read by key only; few machines have a row.
create table alarm_rule_states (
  merchant_id uuid not null,
  machine_id uuid not null,
  code text not null,
  since timestamptz not null,
  -- Beyond the limit now; false between the limit and the end of the condition.
  is_beyond boolean not null,
  primary key (merchant_id, machine_id, code),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarm_rule_states');

-- A merchant's settings for alarms of a code; '*' applies to every code without a row.
create table alarm_settings (
  merchant_id uuid not null references merchants (id),
  code text not null check (length(code) between 1 and 20),
  enabled boolean not null default true,
  criticity smallint check (criticity in (0, 2, 4)),
  -- The minimum severity for mail; null: no mail.
  mail_from smallint check (mail_from in (0, 2, 4)),
  delay_minutes int not null default 5 check (delay_minutes between 0 and 1440),
  to_people boolean not null default true,
  addresses text[] not null default '{}',
  -- Minutes of the merchant's local day; a period over midnight belongs to the day on which it begins.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  -- ISO days, Monday is 1.
  quiet_days smallint[] not null default '{1,2,3,4,5,6,7}' check (quiet_days <@ '{1,2,3,4,5,6,7}'::smallint[]),
  blocking_breaks_quiet boolean not null default true,
  reminder_hours int check (reminder_hours between 1 and 720),
  escalation_hours int check (escalation_hours between 1 and 720),
  escalation_people uuid[] not null default '{}',
  escalation_addresses text[] not null default '{}',
  -- Cycles between two services that alarms of the code call for; null: unknown.
  service_cycles int check (service_cycles > 0),
  version int not null default 1,
  primary key (merchant_id, code),
  check ((quiet_from is null) = (quiet_to is null)),
  check (code <> '*' or (enabled and criticity is null))
);
call guard_tenant_table('alarm_settings');

-- Notices to send and sent ones: outbox and record in one. The key prevents duplicates.
create table alarm_notifications (
  merchant_id uuid not null,
  alarm_id uuid not null,
  kind text not null check (kind in ('raised', 'reminder', 'escalation')),
  number int not null,
  recipient text not null,
  machine_id uuid not null,
  -- Null for a bare address.
  user_id uuid,
  planned_at timestamptz not null,
  -- The mail shared by several notices of a merchant; set before sending, so that a retry sends the same mail.
  mail_id uuid,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  failure text,
  primary key (merchant_id, alarm_id, kind, number, recipient),
  foreign key (merchant_id, alarm_id) references alarms (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarm_notifications');
-- Notices to be gathered or sent.
create index alarm_notifications_waiting on alarm_notifications (next_attempt_at)
  where sent_at is null and given_up_at is null;
-- The rows of one mail.
create index alarm_notifications_by_mail on alarm_notifications (merchant_id, mail_id) where mail_id is not null;

-- Local: troubleshooting texts by alarm code, written by the provider for all merchants and read through one endpoint. Read by key only.
-- A removed text stays as an empty one, so that its version continues.
create table troubleshooting_texts (
  -- Without a selection, because one text covers all of them.
  code text not null check (length(code) between 1 and 20),
  language text not null check (language in ('it', 'es', 'en', 'fr', 'de', 'pt')),
  -- HTML of the contract's allow-list, including images.
  content text not null check (length(content) <= 900000),
  version int not null default 1,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (code, language)
);
grant select, insert, update on troubleshooting_texts to gettone_system;
