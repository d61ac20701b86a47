-- Recharges, reversals and other transactions than sales are few: without an index of their own, a list of one type reads the whole period. One
-- row in twenty has an entry.
create index transactions_of_rare_types on transactions (merchant_id, type, created_at, id) where type not in (1, 2, 14, 15);
