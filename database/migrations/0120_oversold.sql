-- What was sold beyond the books is a movement of its own: a refill starts at nothing at least, and the books say why.
-- Existing rows met the narrower check, so they are not read again under the lock.
alter table stock_movements drop constraint stock_movements_kind_check;
alter table stock_movements add constraint stock_movements_kind_check
  check (kind in ('sale', 'refill', 'correction', 'report', 'waste', 'oversold')) not valid;

-- The latest refill, by time: an older sale that arrives later may change what was sold beyond the books before it.
alter table machine_stock add column loaded_at timestamptz;
update machine_stock set loaded_at = moved_at where moved_at is not null;
