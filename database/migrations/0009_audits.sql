-- Audits, and the difference of each to the one before.

-- The raw bytes are kept, even if parsing failed.
create table audits (
  merchant_id uuid not null,
  read_at timestamptz not null,
  id uuid not null,
  machine_id uuid not null,
  saved_at timestamptz not null,
  machine_time text,
  seq bigint,
  epoch int,
  origin smallint not null,
  port text not null,
  crc text not null,
  size int not null,
  warnings int not null,
  sha256 bytea not null,
  sales_total bigint,
  vends_total bigint,
  selections_total bigint,
  -- The currency of the amounts, from the file; null: the merchant's, XXX: unknown to the product.
  currency text check (currency ~ '^[A-Z]{3}$'),
  content jsonb not null,
  raw bytea not null,
  primary key (merchant_id, read_at, id)
) partition by range (read_at);
call guard_tenant_table('audits');
create index audits_by_machine on audits (merchant_id, machine_id, read_at);
create index audits_by_id on audits (merchant_id, id);
-- A file that is sent twice is one audit.
create index audits_by_digest on audits (merchant_id, machine_id, sha256);

-- The difference of each audit to the one before of the same machine. Its counters allow comparing neighbours without parsing files, and
-- the differences serve lists and days. The transmitted side is never stored, because late sales change it.
create table audit_intervals (
  merchant_id uuid not null,
  machine_id uuid not null,
  ends_at timestamptz not null,
  audit_id uuid not null,
  begins_at timestamptz,
  begin_audit_id uuid,
  -- The position of the readings in the machine's own order of items, which is more reliable than clocks.
  epoch int,
  seq bigint,
  begin_epoch int,
  begin_seq bigint,
  kind text not null
    check (kind in ('first', 'counted', 'rolledOver', 'partlyReset', 'reset', 'boardSwapped', 'otherCurrency', 'notReported')),
  counters jsonb not null,
  sold_count bigint,
  sold_value bigint,
  cash_count bigint,
  cash_value bigint,
  other_count bigint,
  other_value bigint,
  free_count bigint,
  test_count bigint,
  cash_in bigint,
  to_box bigint,
  primary key (merchant_id, machine_id, ends_at, audit_id)
);
call guard_tenant_table('audit_intervals');
-- For the page of an audit.
create index audit_intervals_by_audit on audit_intervals (merchant_id, audit_id);
