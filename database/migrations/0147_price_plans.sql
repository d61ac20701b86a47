-- Planned prices belong to a plan: several plans may change the same price, each on its own day. A plan is cancelled as a whole, and its prices
-- stay as its record.
create table price_plans (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text check (length(name) between 1 and 80),
  -- The prices start at midnight of this day on each machine's clock.
  starts_on date not null,
  -- Whether they are sent at their start.
  send boolean not null,
  source text not null check (source in ('bulk', 'planogram', 'machine')),
  created_at timestamptz not null,
  created_by uuid,
  created_by_name text,
  cancelled_at timestamptz,
  cancelled_by uuid,
  cancelled_by_name text,
  primary key (merchant_id, id)
);
call guard_tenant_table('price_plans');
create index price_plans_by_start on price_plans (merchant_id, starts_on desc, id desc);

alter table planned_prices
  add column plan_id uuid,
  -- The price that the plan was computed from; null: none.
  add column before bigint,
  add column status text not null default 'planned' check (status in ('planned', 'started', 'cancelled', 'lost'));

-- Prices that were planned together share their user, day, source and sending.
with plans as (
  select planned.merchant_id, planned.planned_by, planned.planned_by_name, planned.send, planned.source, planned.starts_at,
    gen_random_uuid() as id
  from planned_prices planned
  group by planned.merchant_id, planned.planned_by, planned.planned_by_name, planned.send, planned.source, planned.starts_at
), created as (
  insert into price_plans (merchant_id, id, starts_on, send, source, created_at, created_by, created_by_name)
  select plans.merchant_id, plans.id, (plans.starts_at at time zone merchants.time_zone)::date, plans.send, plans.source, now(),
    plans.planned_by, plans.planned_by_name
  from plans join merchants on merchants.id = plans.merchant_id
)
update planned_prices planned set plan_id = plans.id from plans
where plans.merchant_id = planned.merchant_id and plans.planned_by is not distinct from planned.planned_by
  and plans.planned_by_name is not distinct from planned.planned_by_name and plans.send = planned.send
  and plans.source = planned.source and plans.starts_at = planned.starts_at;

drop index planned_prices_due;
alter table planned_prices
  drop constraint planned_prices_pkey,
  alter column plan_id set not null,
  add primary key (merchant_id, plan_id, machine_id, selection, price_table),
  add foreign key (merchant_id, plan_id) references price_plans (merchant_id, id) on delete cascade,
  drop column send,
  drop column source,
  drop column planned_by,
  drop column planned_by_name;
-- Finds prices that are due.
create index planned_prices_due on planned_prices (starts_at) where status = 'planned';
-- The next prices of a selection, and whether a plan still has prices to start.
create index planned_prices_next on planned_prices (merchant_id, machine_id, selection, price_table, starts_at) where status = 'planned';
create index planned_prices_by_status on planned_prices (merchant_id, plan_id, status);
