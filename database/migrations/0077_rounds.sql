-- Rounds: which machines are visited on which day, what is loaded for them, and the visits themselves.
create table rounds (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- The merchant's calendar day.
  day date not null,
  -- The user who drives it. Users are in local tables, so the name is kept here; null: not assigned.
  assignee_id uuid,
  assignee_name text,
  note text,
  status text not null default 'planned' check (status in ('planned', 'underway', 'done', 'cancelled')),
  started_at timestamptz,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((assignee_id is null) = (assignee_name is null))
);
call guard_tenant_table('rounds');
-- The list shows the latest day first; a technician looks for the own rounds.
create index rounds_by_day on rounds (merchant_id, day desc, id desc);
create index rounds_by_assignee on rounds (merchant_id, assignee_id, day desc) where assignee_id is not null;
call make_searchable('rounds', '{name,assignee_name,note}');

create table round_stops (
  merchant_id uuid not null,
  id uuid not null,
  round_id uuid not null,
  machine_id uuid not null,
  position int not null,
  status text not null default 'open' check (status in ('open', 'done', 'skipped')),
  -- Why the machine was worth a visit when the round was planned, [{"kind": "soldOut", "value": 2, "code": null}].
  reasons jsonb not null default '[]',
  -- Estimates in minor units at that time: sales lost until the day is over, and cash in the box.
  lost_sales bigint not null default 0,
  cash_in_box bigint,
  skip_reason text check (skip_reason in
    ('closed', 'noAccess', 'noTime', 'notNeeded', 'other', 'roundFinished', 'machineRemoved')),
  skip_note text,
  closed_at timestamptz,
  closed_by text check (closed_by in ('visit', 'machine', 'user')),
  closed_by_id uuid,
  closed_by_name text,
  visit_id uuid,
  primary key (merchant_id, id),
  foreign key (merchant_id, round_id) references rounds (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  unique (merchant_id, round_id, machine_id),
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'skipped') = (skip_reason is not null))
);
call guard_tenant_table('round_stops');
-- A visit, a refill or a deletion finds the machine's open stops: few of many.
create index round_stops_open on round_stops (merchant_id, machine_id) where status = 'open';
create index round_stops_by_machine on round_stops (merchant_id, machine_id);

-- What is loaded into the van, by stop and selection.
create table round_loads (
  merchant_id uuid not null,
  stop_id uuid not null,
  machine_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  product_id uuid,
  -- As the machine names it, where no product of the merchant is known.
  product text,
  capacity int,
  quantity int not null check (quantity >= 0),
  -- A user changed the quantity; it is not computed again.
  edited boolean not null default false,
  primary key (merchant_id, stop_id, selection),
  foreign key (merchant_id, stop_id) references round_stops (merchant_id, id) on delete cascade,
  foreign key (merchant_id, product_id) references products (merchant_id, id) on delete set null (product_id),
  check (capacity is null or quantity <= capacity)
);
call guard_tenant_table('round_loads');
create index round_loads_by_product on round_loads (merchant_id, product_id) where product_id is not null;

-- The id comes from the phone, so that a visit sent again is the same visit.
create table visits (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  -- Null: outside of any round. No foreign keys: a deleted round leaves its visits.
  round_id uuid,
  stop_id uuid,
  -- When it happened, by the phone's clock corrected by the server's; and when it arrived.
  at timestamptz not null,
  received_at timestamptz not null,
  user_id uuid not null,
  user_name text not null,
  cash_taken boolean not null,
  bag_number text,
  note text,
  -- Of what was sent: another content under the same id is refused.
  digest text not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('visits');
create index visits_by_machine on visits (merchant_id, machine_id, at desc);

create table visit_lines (
  merchant_id uuid not null,
  visit_id uuid not null,
  machine_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  planned int not null check (planned >= 0),
  loaded int not null check (loaded >= 0),
  -- Taken out, such as expired goods.
  waste int not null check (waste >= 0),
  -- Found in the machine before anything was taken out or loaded; null: not counted.
  counted int check (counted >= 0),
  primary key (merchant_id, visit_id, selection),
  foreign key (merchant_id, visit_id) references visits (merchant_id, id) on delete cascade
);
call guard_tenant_table('visit_lines');

create table visit_pictures (
  merchant_id uuid not null,
  visit_id uuid not null,
  machine_id uuid not null,
  bytes bytea not null check (octet_length(bytes) <= 500000),
  primary key (merchant_id, visit_id),
  foreign key (merchant_id, visit_id) references visits (merchant_id, id) on delete cascade
);
call guard_tenant_table('visit_pictures');
