-- Local: the readiness check writes here, so that a server whose database cannot be written to gets no requests. One row holds the last success.
create table write_probes (
  id int primary key check (id = 1),
  written_at timestamptz not null,
  -- Filled and rolled back: the bytes make the table's files grow.
  filling bytea
);
-- Stored as it is, outside the row: compressed, the bytes would fit a page that the table has.
alter table write_probes alter column filling set storage external;
insert into write_probes (id, written_at) values (1, now());
grant select, insert, update on write_probes to gettone_system;
