-- Which product is in which selection, and how many fit.

create table planograms (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  description text,
  -- A hot, B cold.
  planogram_type text not null check (planogram_type in ('A', 'B')),
  -- A save replaces all lines, so planogram and lines have one version.
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('planograms');
create unique index planograms_by_name on planograms (merchant_id, lower(name));
call make_searchable('planograms', '{name,description}');

create table planogram_lines (
  merchant_id uuid not null,
  planogram_id uuid not null,
  selection text not null check (length(selection) between 1 and 20),
  -- The order in which users arranged the selections.
  position int not null,
  product_id uuid,
  capacity int not null check (capacity >= 1),
  warning_level int not null check (warning_level between 0 and capacity),
  refill_value int not null check (refill_value between 0 and capacity),
  -- Prices in minor units by price table, {"1": 60, "2": 55}.
  prices jsonb not null default '{}',
  primary key (merchant_id, planogram_id, selection),
  foreign key (merchant_id, planogram_id) references planograms (merchant_id, id) on delete cascade,
  foreign key (merchant_id, product_id) references products (merchant_id, id)
);
call guard_tenant_table('planogram_lines');
-- Planograms with a product, which keep it from being deleted.
create index planogram_lines_by_product on planogram_lines (merchant_id, product_id) where product_id is not null;

alter table machines add column planogram_id uuid;
alter table machines add constraint machines_planogram foreign key (merchant_id, planogram_id)
  references planograms (merchant_id, id);
-- Machines with a planogram are listed, counted and re-priced together.
create index machines_by_planogram on machines (merchant_id, planogram_id) where planogram_id is not null;
