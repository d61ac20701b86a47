-- Commands that people and the portal give to machines.

-- A row is the outbox and the record of a command at once.
create table remote_commands (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  type smallint not null,
  parameters jsonb not null,
  -- The order of many machines that it came from.
  order_id uuid,
  status smallint not null check (status between 0 and 5),
  result smallint check (result in (0, 1, 2, 3, -1, -2, -3)),
  result_info text,
  cancel_requested boolean not null default false,
  attempts int not null default 0,
  maximum_attempts int not null default 5,
  created_at timestamptz not null,
  created_by uuid,
  created_by_name text,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null,
  -- When the machine was told last, so that a screen can tell what was sent from what was taken up.
  sent_at timestamptz,
  -- The claim that was told to go: asked again after a lost answer it is told the same, and no other claim ever is.
  claim_id uuid,
  started_at timestamptz,
  executed_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  -- Received, with or without warnings and errors, is the machine's own word: it was told to go and has said how it went.
  constraint remote_commands_acknowledged
    check (status not in (2, 4, 5) or (started_at is not null and executed_at is not null)),
  -- What waits or runs has no result yet, and what has ended has one.
  constraint remote_commands_ended check ((status in (0, 1)) = (result is null))
);
call guard_tenant_table('remote_commands');
-- One pending command of a type per machine: the database says so, whoever races.
create unique index remote_commands_pending on remote_commands (merchant_id, machine_id, type) where status in (0, 1);
-- What is due, for whoever publishes.
create index remote_commands_due on remote_commands (next_attempt_at) where status in (0, 1);
-- What is over, for whoever ends it.
create index remote_commands_expiring on remote_commands (expires_at) where status in (0, 1);
create index remote_commands_by_time on remote_commands (merchant_id, created_at desc, id desc);
create index remote_commands_by_machine on remote_commands (merchant_id, machine_id, created_at desc);
-- What became of one order, machine by machine.
create index remote_commands_by_order on remote_commands (merchant_id, order_id) where order_id is not null;
