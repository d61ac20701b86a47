-- Rules that bring a firmware or a cash database to machines, and their rollouts.
create table firmware_rules (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- Firmware is the provider's, in a local table.
  firmware_id uuid not null,
  -- {"by": "groups", "groupIds": […]}, or clients, device types, machines.
  target jsonb not null,
  -- Empty: any version.
  from_versions text[] not null default '{}',
  -- {"from": "02:00", "to": "05:00"} by each machine's local time; JSON null: at any time.
  install_window jsonb not null,
  cohorts jsonb not null,
  good_percent smallint not null,
  health_minutes int not null,
  silent_minutes int not null,
  failed_percent smallint not null,
  silent_percent smallint not null,
  alarmed_percent smallint not null,
  allow_downgrade boolean not null,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('firmware_rules');
create unique index firmware_rules_by_name on firmware_rules (merchant_id, lower(name));
-- A firmware or database in use is not deleted.
create index firmware_rules_by_update on firmware_rules (firmware_id);
call make_searchable('firmware_rules', '{name}');

create table cash_database_rules (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  cash_database_id uuid not null,
  -- {"by": "groups", "groupIds": […]}, or clients, device types, machines.
  target jsonb not null,
  -- Empty: any version.
  from_versions text[] not null default '{}',
  -- {"from": "02:00", "to": "05:00"} by each machine's local time; JSON null: at any time.
  install_window jsonb not null,
  cohorts jsonb not null,
  good_percent smallint not null,
  health_minutes int not null,
  silent_minutes int not null,
  failed_percent smallint not null,
  silent_percent smallint not null,
  alarmed_percent smallint not null,
  allow_downgrade boolean not null,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, cash_database_id) references cash_databases (merchant_id, id)
);
call guard_tenant_table('cash_database_rules');
create unique index cash_database_rules_by_name on cash_database_rules (merchant_id, lower(name));
-- A firmware or database in use is not deleted.
create index cash_database_rules_by_update on cash_database_rules (merchant_id, cash_database_id);
call make_searchable('cash_database_rules', '{name}');

-- One rollout per rule, with the rule's id: its state, and a copy of what the worker needs of the rule.
create table rollouts (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (kind in ('firmware', 'cashDatabase')),
  name text not null,
  -- The firmware or the cash database, its version and what it is for.
  update_id uuid not null,
  release text not null,
  peripheral text,
  device_types text[] not null,
  -- The rule's fields.
  plan jsonb not null,
  -- The groups of the author, where the author does not see all groups; the rollout stays within them.
  within_groups uuid[],
  state text not null default 'draft' check (state in ('draft', 'running', 'paused', 'halted', 'complete', 'ended')),
  direction text not null default 'forward' check (direction in ('forward', 'back')),
  cohort smallint not null default 0,
  started_at timestamptz,
  started_by uuid,
  started_by_name text,
  halted_at timestamptz,
  -- {"cause", "count", "allowed", "size"}
  halt jsonb,
  -- When machines that joined or left the targets were last searched for; null: due.
  synced_at timestamptz,
  -- Of many machines on their way a minute checks some, in their order; the position of the last one.
  checked_position int not null default 0,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((state = 'draft') = (started_at is null)),
  check ((state = 'halted') = (halted_at is not null))
);
call guard_tenant_table('rollouts');
-- The worker reads the rollouts of all merchants that are under way.
create index rollouts_under_way on rollouts (merchant_id, id) where state in ('running', 'paused', 'halted', 'complete');

create table rollout_machines (
  merchant_id uuid not null,
  rollout_id uuid not null,
  machine_id uuid not null,
  -- The order in which machines start: by chance, the same for ever.
  position int not null,
  state text not null check (state in
    ('failed', 'silent', 'alarmed', 'held', 'sent', 'watching', 'waiting', 'confirmed', 'current', 'left')),
  reason text,
  detail text,
  -- A user accepted that it is bad and resumed the rollout.
  is_accepted boolean not null default false,
  direction text not null default 'forward' check (direction in ('forward', 'back')),
  -- The cohort in which it started.
  cohort smallint,
  from_version text,
  to_version text not null,
  command_id uuid,
  attempts int not null default 0,
  sent_at timestamptz,
  -- It reported the new version; it is watched until.
  reported_at timestamptz,
  watch_until timestamptz,
  changed_at timestamptz not null,
  primary key (merchant_id, rollout_id, machine_id),
  foreign key (merchant_id, rollout_id) references rollouts (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check ((state = 'watching') = (watch_until is not null))
) with (fillfactor = 80);
call guard_tenant_table('rollout_machines');
-- Counts machines by state, and finds the machines that start next.
create index rollout_machines_by_state
  on rollout_machines (merchant_id, rollout_id, state, position) include (is_accepted, direction, cohort);
-- The minute checks machines on their way.
create index rollout_machines_in_flight on rollout_machines (merchant_id, rollout_id, position)
  where state in ('sent', 'watching');
-- A machine is in flight in one rollout at a time.
create unique index rollout_machines_busy on rollout_machines (merchant_id, machine_id) where state = 'sent';
create index rollout_machines_by_machine on rollout_machines (merchant_id, machine_id);

-- The history of a rollout.
create table rollout_events (
  merchant_id uuid not null,
  id uuid not null,
  rollout_id uuid not null,
  at timestamptz not null,
  act text not null,
  user_id uuid,
  user_name text,
  note text,
  cohort smallint,
  machines int,
  halt jsonb,
  primary key (merchant_id, id),
  foreign key (merchant_id, rollout_id) references rollouts (merchant_id, id) on delete cascade
);
call guard_tenant_table('rollout_events');
create index rollout_events_by_rollout on rollout_events (merchant_id, rollout_id, at desc, id desc);
