-- Limits of recharges, in minor units. Null: the default of the merchant's currency (contract/vocabulary/world/money-limits.ts).
alter table merchant_settings
  add column largest_recharge bigint check (largest_recharge between 1 and 10000000000),
  add column largest_balance bigint check (largest_balance between 1 and 10000000000),
  add column largest_daily_recharge bigint check (largest_daily_recharge between 1 and 10000000000),
  add column largest_daily_recharge_of_machine bigint check (largest_daily_recharge_of_machine between 1 and 10000000000);

-- Recharges above a limit: kept whole, not credited, until a person books or refuses them. Each belongs to a finding of its medium, whose id it has.
create table kept_recharges (
  merchant_id uuid not null,
  id uuid not null,
  -- The key of the operation that would credit it: one item is kept or booked once.
  key text not null check (length(key) between 1 and 120),
  kind text not null check (kind in ('recharge', 'machineRecharge')),
  media_id uuid not null,
  amount bigint not null check (amount > 0),
  -- The account that paid: a machine, or an account at a payment provider.
  from_kind text not null check (from_kind in ('machine', 'provider')),
  from_id uuid not null,
  at timestamptz not null,
  pos_id uuid,
  order_id uuid,
  kept_at timestamptz not null,
  -- The limit that it breaks, and what the limit allowed then.
  broken_limit text not null
    check (broken_limit in ('largestRecharge', 'largestBalance', 'largestDailyRecharge', 'largestDailyRechargeOfMachine')),
  allowed bigint not null,
  state text not null default 'open' check (state in ('open', 'booked', 'refused', 'reversed')),
  -- What the provider took back while it was kept.
  reversed bigint not null default 0 check (reversed between 0 and amount),
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  primary key (merchant_id, id),
  unique (merchant_id, key),
  foreign key (merchant_id, media_id) references medias (merchant_id, id),
  check ((state = 'open') = (decided_at is null))
);
call guard_tenant_table('kept_recharges');
