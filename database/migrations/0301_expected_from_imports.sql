-- What an import says of a machine that has not reported yet, beside its name, group and client: it gets all of it when it associates. Machines of an import are expected
-- for longer, and do not count among the machines that users enter one by one.
alter table expected_associations
  add column import_id uuid,
  add column address text,
  add column sector text,
  add column warranty_until date;
