-- When a machine was told last, so that a screen can tell what was sent from what was taken up; and the order of many machines
-- that a command came from.
alter table remote_commands add column sent_at timestamptz, add column order_id uuid;

-- What became of one order, machine by machine.
create index remote_commands_by_order on remote_commands (merchant_id, order_id) where order_id is not null;

-- Received, with or without warnings and errors, is the machine's own word: it was told to go and has said how it went.
alter table remote_commands add constraint remote_commands_acknowledged
  check (status not in (2, 4, 5) or (started_at is not null and executed_at is not null));
-- What waits or runs has no result yet, and what has ended has one.
alter table remote_commands add constraint remote_commands_ended check ((status in (0, 1)) = (result is null));
