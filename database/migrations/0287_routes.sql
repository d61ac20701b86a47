-- Routes: templates of rounds with their days, technician, start and machines.
create table routes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- ISO weekdays, 1 Monday to 7 Sunday.
  days smallint[] not null check (cardinality(days) between 1 and 7),
  -- Users are in local tables, so the name is kept here; null: not assigned.
  assignee_id uuid,
  assignee_name text,
  start_address text,
  -- {"latitude": 45.1, "longitude": 9.2}
  start jsonb,
  returns boolean not null default false,
  note text,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((assignee_id is null) = (assignee_name is null))
);
call guard_tenant_table('routes');
create unique index routes_by_name on routes (merchant_id, lower(name));
call make_searchable('routes', '{name,assignee_name,start_address,note}');

create table route_stops (
  merchant_id uuid not null,
  route_id uuid not null,
  machine_id uuid not null,
  position int not null,
  -- Without any, each day of the route.
  days smallint[] not null default '{}',
  -- When the site can be entered, 08:00; null: at any time.
  opens_at text check (opens_at ~ '^\d\d:\d\d$'),
  closes_at text check (closes_at ~ '^\d\d:\d\d$'),
  primary key (merchant_id, route_id, machine_id),
  foreign key (merchant_id, route_id) references routes (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('route_stops');
-- Other routes of a machine.
create index route_stops_by_machine on route_stops (merchant_id, machine_id);
