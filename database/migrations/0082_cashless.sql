-- Media (keys, cards, app accounts), the ledger of their cloud credit, reservations, refunds.

-- Media belong to the merchant as a whole, like clients: a key is used at machines of many groups. The column pos_id is a machine at which
-- something happened; it narrows nothing.
create table medias (
  merchant_id uuid not null,
  id uuid not null,
  -- Upper case, without spaces. Unique within the merchant: makers repeat serials, and no merchant may take a serial away from another.
  serial text not null check (serial ~ '^[0-9A-Z][0-9A-Z._:/-]{0,39}$' and serial <> 'FFFFFFFF'),
  type smallint not null,
  -- 0 ok, 1 blocked, 2 lost.
  status smallint not null default 0 check (status between 0 and 2),
  customer_id uuid,
  -- Who registered it, and the serial of the machine that saw it first.
  origin_type text not null check (origin_type in ('machine', 'staff', 'app', 'webPayment')),
  origin_serial text,
  -- Credit that another company's service holds; null: none.
  external_service text check (length(external_service) between 1 and 60),
  -- What is written on the key, as machines last read it: the reading with the highest counter.
  key_credit bigint,
  key_counter bigint,
  key_read_at timestamptz,
  bonus_free_sales int not null default 0 check (bonus_free_sales >= 0),
  last_used_at timestamptz,
  last_pos_id uuid,
  blocked_at timestamptz,
  -- The version of the merchant's block list in which its status last changed.
  block_version bigint not null default 0,
  replaces uuid,
  replaced_by uuid,
  registered_at timestamptz not null,
  version int not null default 1,
  primary key (merchant_id, id),
  unique (merchant_id, serial)
);
call guard_tenant_table('medias');
call make_searchable('medias', '{serial}');
-- The list shows the last used first.
create index medias_by_use on medias (merchant_id, last_used_at desc nulls last, id desc);
create index medias_by_customer on medias (merchant_id, customer_id) where customer_id is not null;
-- Changes of the block list since a version.
create index medias_by_block on medias (merchant_id, block_version) where block_version > 0;

-- The newest version of each merchant's block list.
create table block_lists (
  merchant_id uuid primary key,
  version bigint not null
);
call guard_tenant_table('block_lists');

-- Accounts of the ledger. Credit and bonus belong to media; a positive balance is money owed to the holder. The other accounts are where
-- it came from or went to; their owner is a machine, a payment configuration, or the merchant itself.
create table ledger_accounts (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('credit', 'bonus', 'machine', 'provider', 'refunds', 'bonuses', 'unpaid', 'corrections')),
  owner_id uuid not null,
  -- Minor units: the sum of its entries. Kept beside them; npm run ledger -- --check compares the two.
  balance bigint not null default 0,
  -- The part of the balance that machines hold in reservations.
  reserved bigint not null default 0,
  primary key (merchant_id, id),
  unique (merchant_id, kind, owner_id),
  check (kind not in ('credit', 'bonus') or balance >= 0),
  check (reserved >= 0 and (reserved = 0 or (kind in ('credit', 'bonus') and reserved <= balance)))
) with (fillfactor = 70);
call guard_tenant_table('ledger_accounts');

-- Movements of credit. Only added to: a mistake is corrected by another operation. The entries of an operation add up to zero.
create table ledger_operations (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null
    check (kind in ('recharge', 'machineRecharge', 'sale', 'refund', 'collection', 'bonus', 'lostKey', 'reversal', 'correction')),
  -- One key, one effect: the same operation sent again books nothing.
  key text not null check (length(key) between 1 and 120),
  -- When it happened; booked_at: when the server learned of it.
  at timestamptz not null,
  booked_at timestamptz not null,
  media_id uuid,
  pos_id uuid,
  reservation_id uuid,
  refund_id uuid,
  order_id uuid,
  transaction_id uuid,
  user_id uuid,
  user_name text,
  note text check (length(note) <= 500),
  primary key (merchant_id, id),
  unique (merchant_id, key)
);
call guard_tenant_table('ledger_operations');
revoke update, delete on ledger_operations from gettone_app, gettone_system;

create table ledger_entries (
  merchant_id uuid not null,
  operation_id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount <> 0),
  primary key (merchant_id, operation_id, account_id),
  foreign key (merchant_id, operation_id) references ledger_operations (merchant_id, id),
  foreign key (merchant_id, account_id) references ledger_accounts (merchant_id, id)
);
call guard_tenant_table('ledger_entries');
revoke update, delete on ledger_entries from gettone_app, gettone_system;
-- An account's statement, newest first: operations have ids by time.
create index ledger_entries_by_account on ledger_entries (merchant_id, account_id, operation_id desc);

-- Credit that a machine holds for a vend, or for a refund that the medium collects there ("tokens"). The id is the machine's own, so that
-- a repeated request gets the same answer. A row changes only while the accounts of its medium are locked.
create table credit_reservations (
  merchant_id uuid not null,
  id uuid not null,
  media_id uuid not null,
  pos_id uuid not null,
  purpose text not null check (purpose in ('vend', 'collect')),
  -- The parts held of the two accounts.
  credit bigint not null check (credit >= 0),
  bonus bigint not null check (bonus >= 0),
  state text not null check (state in ('held', 'settled', 'released', 'expired', 'unblocked')),
  -- What was taken at the settlement, which may be less, and more only as unpaid.
  settled bigint,
  refund_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by_name text,
  primary key (merchant_id, id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id),
  check (credit + bonus > 0),
  check ((state = 'held') = (ended_at is null))
);
call guard_tenant_table('credit_reservations');
create index credit_reservations_held on credit_reservations (merchant_id, media_id) where state = 'held';
-- The worker ends overdue reservations.
create index credit_reservations_expiring on credit_reservations (expires_at) where state = 'held';

-- The credit on a key after each use, by the key's own counter: neighbours must fit each other, in whatever order they arrive.
create table key_readings (
  merchant_id uuid not null,
  media_id uuid not null,
  counter bigint not null,
  -- The transaction or reading it came with: the same counter with other credit is a finding.
  source_id uuid not null,
  pos_id uuid not null,
  at timestamptz not null,
  -- Credit afterwards, and the change that this use made. Minor units.
  credit bigint not null,
  change bigint not null,
  primary key (merchant_id, media_id, counter, source_id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id)
);
call guard_tenant_table('key_readings');
create index key_readings_by_time on key_readings (merchant_id, media_id, at desc);

-- What cannot be right about a medium, named. The key makes each finding one.
create table media_findings (
  merchant_id uuid not null,
  id uuid not null,
  media_id uuid not null,
  kind text not null,
  key text not null check (length(key) between 1 and 120),
  at timestamptz not null,
  pos_id uuid,
  -- Minor units that it is about.
  amount bigint,
  facts jsonb not null default '{}',
  closed_at timestamptz,
  closed_by_name text,
  primary key (merchant_id, id),
  unique (merchant_id, media_id, key),
  foreign key (merchant_id, media_id) references medias (merchant_id, id)
);
call guard_tenant_table('media_findings');
create index media_findings_open on media_findings (merchant_id, media_id) where closed_at is null;

create table refund_batches (
  merchant_id uuid not null,
  -- Made by the caller: the same batch sent again is answered with what was done.
  id uuid not null,
  amount bigint not null check (amount > 0),
  pos_id uuid,
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null,
  created_by uuid not null,
  created_by_name text not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('refund_batches');

create table refunds (
  merchant_id uuid not null,
  -- Made by the caller.
  id uuid not null,
  batch_id uuid,
  media_id uuid not null,
  -- cloud: credited at once. machine: held for one machine, where the medium collects it.
  kind text not null check (kind in ('cloud', 'machine')),
  state text not null check (state in ('done', 'waiting', 'collected')),
  amount bigint not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 500),
  -- The failed vend that it pays back.
  transaction_id uuid,
  transaction_at timestamptz,
  pos_id uuid,
  created_at timestamptz not null,
  collected_at timestamptz,
  created_by uuid not null,
  created_by_name text not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id),
  foreign key (merchant_id, batch_id) references refund_batches (merchant_id, id)
);
call guard_tenant_table('refunds');
create index refunds_by_media on refunds (merchant_id, media_id, created_at desc);
create index refunds_by_time on refunds (merchant_id, created_at desc, id desc);
create index refunds_by_batch on refunds (merchant_id, batch_id) where batch_id is not null;
-- A transaction is paid back once.
create unique index refunds_by_transaction on refunds (merchant_id, transaction_id) where transaction_id is not null;

-- The transactions of a medium. Serials are stored in upper case and without spaces.
create index transactions_by_media on transactions (merchant_id, media_serial, created_at, id)
  where media_serial is not null and media_serial <> 'FFFFFFFF';
-- The reservation that paid a sale.
alter table transactions add column reservation_id uuid;
