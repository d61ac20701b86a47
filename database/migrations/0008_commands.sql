-- Commands from users and from the portal to machines.

-- A row is both outbox and record of a command.
create table remote_commands (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  type smallint not null,
  parameters jsonb not null,
  -- The batch for several machines that the command belongs to.
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
  -- The last time of sending, so that a screen can distinguish sent from accepted commands.
  sent_at timestamptz,
  -- The claim that got the command: a repeated request with this id gets the same answer, and no other claim ever gets it.
  claim_id uuid,
  started_at timestamptz,
  executed_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  -- "Received", with or without warnings and errors, is the machine's own result: it got the command and reported the outcome.
  constraint remote_commands_acknowledged
    check (status not in (2, 4, 5) or (started_at is not null and executed_at is not null)),
  -- Waiting and running commands have no result; ended ones have one.
  constraint remote_commands_ended check ((status in (0, 1)) = (result is null))
);
call guard_tenant_table('remote_commands');
-- At most one pending command of a type per machine, even with concurrent orders.
create unique index remote_commands_pending on remote_commands (merchant_id, machine_id, type) where status in (0, 1);
-- Finds commands that are due for sending.
create index remote_commands_due on remote_commands (next_attempt_at) where status in (0, 1);
-- Finds commands that expire.
create index remote_commands_expiring on remote_commands (expires_at) where status in (0, 1);
create index remote_commands_by_time on remote_commands (merchant_id, created_at desc, id desc);
create index remote_commands_by_machine on remote_commands (merchant_id, machine_id, created_at desc);
-- Finds the results of one batch.
create index remote_commands_by_order on remote_commands (merchant_id, order_id) where order_id is not null;
