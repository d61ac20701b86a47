-- What kind of place a machine or a client is at, by the codes of the contract's pos sectors. Null: nobody has said it. Neither has an index:
-- a filter by sector reads the machines or clients of its merchants, which are few.
alter table machines add column sector text check (length(sector) between 1 and 40);
alter table clients add column sector text check (length(sector) between 1 and 40);
