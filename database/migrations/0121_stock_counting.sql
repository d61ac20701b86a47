-- Who counts the stock of a managed machine: the portal by its books, or the machine by its reports. The portal counts machines that
-- were managed before: a report that does not know of a visit does not undo it.
alter table machines add column stock_counted_by text not null default 'portal' check (stock_counted_by in ('portal', 'machine'));
-- The same, read with the lock at the start of every ingest transaction.
alter table machine_journals add column counts_stock boolean not null default false;

-- Where the portal counts, the machine's last two reports less the books at their moment, and the difference that a user keeps on purpose.
alter table machine_stock
  add column difference int not null default 0,
  add column difference_before int not null default 0,
  add column difference_kept int not null default 0,
  -- By the rule of domain/stock/counting.ts: a difference that stays over two reports and is not kept.
  add column differs boolean not null default false;
alter table machine_supplies
  add column differing int not null default 0,
  -- Selections with a refill that waits for the machine.
  add column waiting int not null default 0;

-- When the machine was refilled last by its own word: a refill of a user from about then is in its count already.
alter table machine_stock add column machine_refilled_at timestamptz;
