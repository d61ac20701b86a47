-- Indexes for figures that were read from all machines, alarms or commands of a merchant.

-- The worst open alarm of each machine, and open alarms by severity, from the index alone.
create index alarms_open_worst on alarms (merchant_id, machine_id, criticity desc, created_at) include (code, category)
  where status in ('active', 'notification');
-- Hidden machines are few: figures leave their rows out instead of looking up each row's machine.
create index machines_hidden on machines (merchant_id, id) where hidden;
-- Managed machines with a difference or a refill that waits: few of many.
create index machine_supplies_finding on machine_supplies (merchant_id, machine_id) where differing > 0 or waiting > 0;
-- Collections in their order, with what their totals add up.
drop index collections_by_time;
create index collections_by_time on collections (merchant_id, at desc, id desc) include (status, counted_total, machine_id);
-- A rollout's machines by state, from the index alone.
drop index rollout_machines_by_state;
create index rollout_machines_by_state on rollout_machines (merchant_id, rollout_id, state, position)
  include (is_accepted, direction, cohort, received_at, machine_id);
