-- What people do with machines: hide, reset and delete them, and say whose stock is managed here.
alter table machines
  -- When people last changed what the portal says of it; a machine's own reports are no such change.
  add column updated_at timestamptz,
  add column manage_stock boolean not null default false,
  add column no_vend_profile_id uuid,
  -- A deleted machine keeps its row, since what it has sold, been read and repaired hangs on it; nobody sees it any more.
  add column deleted_at timestamptz,
  add check (deleted_at is null or hidden);
update machines set updated_at = created_at;
alter table machines
  alter column updated_at set not null,
  alter column updated_at set default now();

-- A name is free again once its machine is deleted.
alter table machines drop constraint machines_merchant_id_name_key;
create unique index machines_merchant_id_name_key on machines (merchant_id, name) where deleted_at is null;
-- A code on a machine says its serial.
create index machines_by_serial on machines (merchant_id, serial);
