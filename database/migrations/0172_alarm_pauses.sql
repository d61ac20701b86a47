-- A fault that comes back soon is the same alarm: its row is open again, and these are the times in between. Downtime leaves them out.
create table alarm_pauses (
  merchant_id uuid not null,
  alarm_id uuid not null,
  machine_id uuid not null,
  ended_at timestamptz not null,
  raised_at timestamptz not null,
  primary key (merchant_id, alarm_id, ended_at, raised_at),
  foreign key (merchant_id, alarm_id) references alarms (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check (raised_at >= ended_at)
);
call guard_tenant_table('alarm_pauses');
-- The machine's timeline.
create index alarm_pauses_by_machine on alarm_pauses (merchant_id, machine_id, ended_at desc);
-- Finds alarms that ended lately, however long the machine's history.
create index alarms_ended on alarms (merchant_id, machine_id, repaired_at) where status = 'repaired';
