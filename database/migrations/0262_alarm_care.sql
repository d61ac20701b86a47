-- Who takes care of an alarm, and until when it sends no notices. Names are stored beside the ids: users are in a local table.
alter table alarms
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column acknowledged_by_id uuid,
  add column acknowledged_until timestamptz,
  add column assignee_id uuid,
  add column assignee_name text;
-- The last alarm of a code at a merchant.
create index alarms_by_code on alarms (merchant_id, code, created_at desc);

-- What users wrote about an alarm.
create table alarm_comments (
  merchant_id uuid not null,
  id uuid not null,
  alarm_id uuid not null,
  machine_id uuid not null,
  created_at timestamptz not null,
  created_by uuid not null,
  created_by_name text not null,
  text text not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, alarm_id) references alarms (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('alarm_comments');
create index alarm_comments_by_alarm on alarm_comments (merchant_id, alarm_id, created_at);

-- A user sends an alarm to the user that it is assigned to, with a note.
alter table alarm_notifications
  add column sent_by text,
  add column note text;
-- Existing rows met the narrower check, so they are not read again under the lock.
alter table alarm_notifications drop constraint alarm_notifications_kind_check;
alter table alarm_notifications
  add constraint alarm_notifications_kind_check check (kind in ('raised', 'reminder', 'escalation', 'assigned')) not valid;
