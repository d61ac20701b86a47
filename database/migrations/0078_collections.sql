-- Collections: cash boxes that were taken out of machines, and what the counting room found in them.

create table collections (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  -- When the box was taken.
  at timestamptz not null,
  -- The money of a collection is what went into the box after the previous collection's `until`, up to its own: the collection audit if
  -- there is one, else `at`. These instants part a machine's time without gaps and overlaps.
  until timestamptz not null,
  -- The last collection audit; without one, `until` lies between two audits.
  audit_at timestamptz,
  -- What the machine itself reported as collected (transactions of type 12).
  reported_total bigint,
  -- The cash report in which the box is emptied, and the report before it.
  reading_at timestamptz,
  reading_since timestamptz,
  bag_number text check (length(bag_number) between 1 and 40),
  -- A typed bag number is kept, whatever arrives later.
  is_bag_typed boolean not null default false,
  status text not null default 'open' check (status in ('open', 'counted', 'disputed', 'closed')),
  -- Pieces by denomination in minor units, [{"value": 100, "count": 12}].
  counted jsonb,
  counted_total bigint,
  counted_at timestamptz,
  counted_by uuid,
  counted_by_name text,
  -- The largest difference that needs no dispute, when it was counted.
  tolerance bigint,
  note text,
  disputed_at timestamptz,
  disputed_by uuid,
  disputed_by_name text,
  dispute_reason text,
  closed_at timestamptz,
  closed_by uuid,
  closed_by_name text,
  -- Frozen when it was closed: both sides by denomination, with their totals and the previous collection.
  frozen jsonb,
  audited_total bigint,
  transmitted_total bigint,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check ((status = 'open') = (counted is null)),
  check ((status = 'closed') = (frozen is not null))
);
call guard_tenant_table('collections');
-- The list shows the newest first.
create index collections_by_time on collections (merchant_id, at desc);
-- The previous collection of a machine.
create index collections_by_machine on collections (merchant_id, machine_id, until);
-- Bags are found by their number.
create index collections_by_bag on collections (merchant_id, lower(bag_number)) where bag_number is not null;

-- What says that a box was taken. Sources of one event are one collection, in whatever order they arrive.
create table collection_sources (
  merchant_id uuid not null,
  source text not null check (source in ('sale', 'audit', 'visit', 'reading')),
  -- The transaction, audit, visit or cash reading.
  source_id uuid not null,
  collection_id uuid not null,
  machine_id uuid not null,
  at timestamptz not null,
  -- A cash report only says that the box was emptied after the report before.
  since timestamptz not null,
  -- Minor units that a transaction reports.
  amount bigint,
  bag_number text,
  user_id uuid,
  user_name text,
  primary key (merchant_id, source, source_id),
  foreign key (merchant_id, collection_id) references collections (merchant_id, id) on delete cascade,
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('collection_sources');
create index collection_sources_by_machine on collection_sources (merchant_id, machine_id, at);
create index collection_sources_by_collection on collection_sources (merchant_id, collection_id);

-- How many pieces a tube or recycler holds, and how many should be in it after a visit.
create table cash_floats (
  merchant_id uuid not null,
  machine_id uuid not null,
  device text not null check (device in ('tube', 'recycler')),
  -- Minor units.
  denomination bigint not null check (denomination > 0),
  capacity int check (capacity between 1 and 100000),
  wanted int check (wanted between 0 and 100000),
  version int not null default 1,
  primary key (merchant_id, machine_id, device, denomination),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  check (wanted <= capacity)
);
call guard_tenant_table('cash_floats');

-- In minor units: a difference up to it needs no dispute.
alter table merchant_settings add column collection_tolerance bigint not null default 100
  check (collection_tolerance between 0 and 1000000000);
