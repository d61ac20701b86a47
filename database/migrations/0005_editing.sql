-- What people edit carries a version: whoever saves names the one their change was made from. Only edits by people count it
-- up, so that a machine's own reports never stand in the way of a form.
alter table machines add column version int not null default 1;
alter table users add column version int not null default 1;

-- A repair by hand can be taken back by who made it; the machine's story keeps both.
alter table alarms add column repaired_by_id uuid;
alter table alarms add column undone_repair_at timestamptz;
alter table alarms add column reopened_at timestamptz;
alter table alarms add column reopened_by text;
