-- What users booked at a machine, for the machine: it is sent until the machine has named it in a report. Where the machine counts, it is
-- booked only then.
create table stock_refills (
  merchant_id uuid not null,
  machine_id uuid not null,
  -- The message to the machine; one line for each selection.
  id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  -- When it happened.
  at timestamptz not null,
  -- What was found before waste and load; null: not counted.
  counted int,
  waste int not null default 0,
  loaded int not null default 0,
  visit_id uuid,
  user_id uuid,
  user_name text,
  status text not null check (status in ('booked', 'waiting', 'confirmed', 'counted', 'dropped')),
  settled_at timestamptz,
  -- When it is sent next; null: the machine knows it, or does not answer.
  next_at timestamptz,
  tries int not null default 0,
  -- When the machine named it.
  known_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, machine_id, id, selection),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('stock_refills');
-- The gateway sends these.
create index stock_refills_due on stock_refills (next_at) where next_at is not null;
-- The stock page, and each report of a machine that counts.
create index stock_refills_waiting on stock_refills (merchant_id, machine_id) where status = 'waiting';
