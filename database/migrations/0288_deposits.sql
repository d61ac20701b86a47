-- Money that is taken to the bank, with the counted collections whose money it is, and what the bank credited.
create table deposits (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  day date not null,
  -- The number of the deposit slip.
  reference text not null check (length(reference) between 1 and 60),
  -- Minor units.
  amount bigint not null check (amount > 0),
  credited bigint check (credited >= 0),
  credited_on date,
  note text,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  check ((credited is null) = (credited_on is null))
);
call guard_tenant_table('deposits');
create unique index deposits_by_reference on deposits (merchant_id, lower(reference));
create index deposits_by_day on deposits (merchant_id, day);
call make_searchable('deposits', '{reference,note}');

-- A collection is in one deposit.
create table deposited_collections (
  merchant_id uuid not null,
  collection_id uuid not null,
  deposit_id uuid not null,
  primary key (merchant_id, collection_id),
  foreign key (merchant_id, deposit_id) references deposits (merchant_id, id) on delete cascade,
  foreign key (merchant_id, collection_id) references collections (merchant_id, id) on delete cascade
);
call guard_tenant_table('deposited_collections');
create index deposited_collections_by_deposit on deposited_collections (merchant_id, deposit_id);
