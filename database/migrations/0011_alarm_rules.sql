-- What the portal finds by itself, and mail about alarms.

-- The limits of the portal's own alarm rules. Null: the deployment's own time, or a rule that is off.
alter table merchant_settings
  add column no_data_minutes int check (no_data_minutes between 5 and 43200),
  add column cash_box_full_percent int not null default 90 check (cash_box_full_percent between 1 and 100),
  add column clock_drift_minutes int not null default 5 check (clock_drift_minutes between 2 and 1440),
  add column temperature_minimum numeric(4, 1),
  add column temperature_maximum numeric(4, 1),
  add check (temperature_minimum < temperature_maximum);

alter table machines add column temperature_celsius numeric(4, 1);

-- Mail about alarms is asked for by each person.
alter table users add column receive_notifications boolean not null default false;

-- A rule's condition that has begun and has not ended. It outlives its alarm: what was repaired by hand or deleted while it goes on
-- is not raised again. A row is found by its key alone, and is there for few machines.
create table alarm_rule_states (
  merchant_id uuid not null,
  machine_id uuid not null,
  code text not null,
  since timestamptz not null,
  -- Beyond the limit now; false between the limit and where the condition ends.
  is_beyond boolean not null,
  primary key (merchant_id, machine_id, code),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarm_rule_states');

-- Local: since when machines can be heard at all, so that our own absence is nobody's silence. One row, kept up by every gateway.
create table gateway_listening (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null,
  last_at timestamptz not null
);
grant select, insert, update on gateway_listening to gettone_system;

-- How a merchant wants alarms of a code to be handled; '*' stands for every code without a row of its own.
create table alarm_settings (
  merchant_id uuid not null references merchants (id),
  code text not null check (length(code) between 1 and 20),
  enabled boolean not null default true,
  criticity smallint check (criticity in (0, 2, 4)),
  -- Alarms at least so grave are mailed; null: none.
  mail_from smallint check (mail_from in (0, 2, 4)),
  delay_minutes int not null default 5 check (delay_minutes between 0 and 1440),
  to_people boolean not null default true,
  addresses text[] not null default '{}',
  -- Minutes of the merchant's local day; a stretch over midnight belongs to the day on which it begins.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  -- ISO days, Monday is 1.
  quiet_days smallint[] not null default '{1,2,3,4,5,6,7}' check (quiet_days <@ '{1,2,3,4,5,6,7}'::smallint[]),
  blocking_breaks_quiet boolean not null default true,
  reminder_hours int check (reminder_hours between 1 and 720),
  escalation_hours int check (escalation_hours between 1 and 720),
  escalation_people uuid[] not null default '{}',
  escalation_addresses text[] not null default '{}',
  -- Cycles between two services that alarms of the code ask for; null: none is known.
  service_cycles int check (service_cycles > 0),
  version int not null default 1,
  primary key (merchant_id, code),
  check ((quiet_from is null) = (quiet_to is null)),
  check (code <> '*' or (enabled and criticity is null))
);
call guard_tenant_table('alarm_settings');

-- When an alarm is to be looked at for mail; null: there is nothing more to say. Alarms from before this are not written about.
alter table alarms add column notice_at timestamptz;
alter table alarms alter column notice_at set default now();
-- What is due, for whoever plans mail.
create index alarms_notice on alarms (notice_at)
  where notice_at is not null and status in ('active', 'notification');

-- What is to be sent, and was: the outbox and the record at once. The key is what keeps a thing from being said twice.
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
  -- The mail that several of a merchant's share; given before it is sent, so that the same is sent again after a fault.
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
-- What waits to be put into a mail or to be sent.
create index alarm_notifications_waiting on alarm_notifications (next_attempt_at)
  where sent_at is null and given_up_at is null;
-- The rows of one mail.
create index alarm_notifications_by_mail on alarm_notifications (merchant_id, mail_id) where mail_id is not null;
