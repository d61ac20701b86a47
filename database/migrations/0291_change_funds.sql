-- Change that drivers get for a round and bring back. Only added to: a mistake is corrected by the opposite entry.
create table change_fund_entries (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- No foreign key: a deleted round leaves its entries.
  round_id uuid not null,
  -- The round's driver at its first entry; null: not assigned.
  driver_id uuid,
  driver_name text,
  kind text not null check (kind in ('given', 'returned')),
  -- Minor units.
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  user_id uuid not null,
  user_name text not null,
  note text,
  primary key (merchant_id, id)
);
call guard_tenant_table('change_fund_entries');
revoke update, delete on change_fund_entries from gettone_app, gettone_system;
create index change_fund_entries_by_round on change_fund_entries (merchant_id, round_id, at, id);
