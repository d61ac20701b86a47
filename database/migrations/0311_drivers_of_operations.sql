-- Who drove the van at which an operation was booked, on its day: reports add up losses of drivers. Users are in local tables, so the name is kept here.
-- Null: no van, no driver, or booked before.
alter table piece_operations
  add column driver_id uuid,
  add column driver_name text;
