-- What each audit adds to the one before it of the same machine: its counters, so that neighbours can be compared without reading
-- whole files again, and the differences, so that lists and days need no files at all. The other side of the comparison is never
-- stored: sales that come late change it.
create table audit_intervals (
  merchant_id uuid not null,
  machine_id uuid not null,
  ends_at timestamptz not null,
  audit_id uuid not null,
  begins_at timestamptz,
  begin_audit_id uuid,
  -- Where the reads stand in the machine's own order, which says better than clocks which sales came before.
  epoch int,
  seq bigint,
  begin_epoch int,
  begin_seq bigint,
  kind text not null check (kind in ('first', 'counted', 'rolledOver', 'partlyReset', 'reset', 'boardSwapped', 'notReported')),
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
-- An audit's own page.
create index audit_intervals_by_audit on audit_intervals (merchant_id, audit_id);
