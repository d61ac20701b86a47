-- How a level is counted, by the specification's numbers: 1 the hot drinks of a machine in total, 2 a cold price line by itself. Null: the
-- machine has not said it.
alter table machine_stock add column stock_type smallint check (stock_type in (1, 2));
