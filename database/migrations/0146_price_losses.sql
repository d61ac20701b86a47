-- A wrong price stays open with its loss until a user closes it, also when the price is right again. An open one is in machine_prices
-- (wrong_since, wrong_sales, lost), a closed one in price_losses.
alter table machine_prices
  -- A user closed it while the price was wrong. Reports of the same price do not open it again; a wrong sale or a new target does.
  add column wrong_closed_at timestamptz;
drop index machine_prices_wrong;
-- Open wrong prices of all machines: few of many.
create index machine_prices_open on machine_prices (merchant_id, wrong_since) where wrong_since is not null;

-- Closed wrong prices. Only added to.
create table price_losses (
  merchant_id uuid not null,
  id uuid not null,
  machine_id uuid not null,
  selection text not null,
  price_table smallint not null,
  -- The target price and the machine's price when it was closed; null: none.
  wanted bigint,
  actual bigint,
  fault text not null check (fault in ('notSent', 'reported', 'audited', 'charged')),
  since timestamptz not null,
  sales int not null,
  lost bigint not null,
  closed_at timestamptz not null,
  closed_by uuid not null,
  closed_by_name text not null,
  note text,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('price_losses');
-- The list of closed ones.
create index price_losses_by_time on price_losses (merchant_id, since);
-- The target of a late sale's moment.
create index price_changes_by_price on price_changes (merchant_id, machine_id, selection, price_table, at desc, id desc)
  where source <> 'device';
