-- A sale is its own stock movement: it names the selections whose stock it lowered, and no row of stock_movements repeats it. Null: none,
-- because stock was not managed or the machine has no such selection. A sale that was booked after it was stored has a movement.
alter table transactions
  -- The selection of its price line.
  add column lowers_line boolean,
  -- The selection with the machine's total of hot drinks.
  add column lowers_total text;
-- Stored sales are never changed, as movements are.
revoke update, delete on transactions from gettone_app, gettone_system;

-- The books: all movements of selections, with those of sales.
create view stock_entries with (security_invoker = true) as
  select merchant_id, machine_id, at, selection, id, kind, amount, opening, late, epoch, seq, changed_by, changed_by_name
  from stock_movements
  union all
  select merchant_id, machine_id, created_at, price_line::text, id, 'sale', -1, false, false, epoch, seq, null::uuid, null::text
  from transactions where lowers_line
  union all
  select merchant_id, machine_id, created_at, lowers_total, id, 'sale', -1, false, false, epoch, seq, null::uuid, null::text
  from transactions where lowers_total is not null;
grant select on stock_entries to gettone_app, gettone_system;

-- Sales update balances in place, without new index entries.
alter table machine_stock set (fillfactor = 70);
