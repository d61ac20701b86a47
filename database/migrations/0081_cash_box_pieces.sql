-- The content of the cash box by denomination, [{"value": 100, "count": 12}], from machines that report it; null from others.
alter table cash_readings add column box_pieces jsonb;
