-- One row has the wanted, sent, reported, audited and charged price of a selection in a price table, so that comparing them reads one
-- table. The reported price and its report (at, epoch, seq) may be missing now.
alter table machine_prices alter column price drop not null;
alter table machine_prices alter column at drop not null;
alter table machine_prices
  -- Minor units, like every price here. Null: the merchant leaves the price to the machine.
  add column wanted bigint check (wanted between 0 and 1000000),
  add column wanted_at timestamptz,
  -- The last command with this price.
  add column sent bigint,
  add column sent_at timestamptz,
  add column command_id uuid,
  add column audited bigint,
  add column audited_at timestamptz,
  add column charged bigint,
  add column charged_at timestamptz,
  -- Whether the newest sight of the price is not the wanted one: the last report, or an audit or a sale at least as new as the report
  -- and the wish. A newer audit or sale at the wanted price makes an older sight good.
  add column is_wrong boolean not null generated always as (
    wanted is not null and not gone and (
      coalesce(price <> wanted, false)
        and not coalesce(audited = wanted and audited_at > greatest(at, wanted_at), false)
        and not coalesce(charged = wanted and charged_at > greatest(at, wanted_at), false)
      or coalesce(audited <> wanted and audited_at >= greatest(at, wanted_at), false)
        and not coalesce(charged = wanted and charged_at > audited_at, false)
      or coalesce(charged <> wanted and charged_at >= greatest(at, wanted_at), false)
        and not coalesce(audited = wanted and audited_at > charged_at, false)
    )
  ) stored,
  -- Since when; written with whatever changes is_wrong. With it, the sales at a wrong price and wanted minus charged over them.
  add column wrong_since timestamptz,
  add column wrong_sales int not null default 0,
  add column lost bigint not null default 0,
  add constraint machine_prices_wanted check ((wanted is null) = (wanted_at is null));
-- Wrong prices of all machines: few of many.
create index machine_prices_wrong on machine_prices (merchant_id, wrong_since) where is_wrong;

-- Changes of prices, by users (before and after are wanted prices) and at the machine (reported prices). Only added to.
create table price_changes (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  selection text not null,
  price_table smallint not null,
  at timestamptz not null,
  source text not null check (source in ('edit', 'bulk', 'planogram', 'machine', 'start', 'device')),
  before bigint,
  after bigint,
  -- The user; null for the machine.
  changed_by uuid,
  changed_by_name text,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('price_changes');
create index price_changes_by_machine on price_changes (merchant_id, machine_id, at desc, id desc);

-- Prices that start later. The worker turns them into wanted prices and sends them.
create table planned_prices (
  merchant_id uuid not null,
  machine_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  price_table smallint not null check (price_table between 1 and 8),
  price bigint not null check (price between 0 and 1000000),
  starts_at timestamptz not null,
  -- Whether they are sent at their start.
  send boolean not null,
  source text not null check (source in ('bulk', 'planogram', 'machine')),
  planned_by uuid,
  planned_by_name text,
  primary key (merchant_id, machine_id, selection, price_table),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('planned_prices');
-- Finds prices that are due.
create index planned_prices_due on planned_prices (starts_at);
