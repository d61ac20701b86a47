-- What the gateway needs beside the machines' data.

-- Local directory: a PIN is unique in the whole deployment. Its keyed digest leads to the merchant without the PIN being readable.
create table association_pins (
  digest text primary key,
  merchant_id uuid not null unique
);
grant select, insert, update, delete on association_pins to gettone_system;

-- The claim that was told to go: asked again after a lost answer it is told the same, and no other claim ever is.
alter table remote_commands add column claim_id uuid;

-- Commands whose time is over, for whoever ends them.
create index remote_commands_expiring on remote_commands (expires_at) where status in (0, 1);

-- Rows that are rewritten with every batch keep room on their page, so that the new version needs no new index entries.
alter table machine_journals set (fillfactor = 50);
alter table sales_hourly set (fillfactor = 80);
alter table machines set (fillfactor = 70);
