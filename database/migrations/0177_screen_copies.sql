-- Copies of screen content in the merchant's storage: the documents that were sent to machines, and their files.
create table screen_copies (
  merchant_id uuid not null,
  file_id uuid not null,
  -- The version of the storage's setting: after a change every file is copied again.
  storage_version int not null,
  -- Null: not copied yet.
  copied_at timestamptz,
  -- The reason of the last failure, when it failed, and when the next attempt is due.
  fault text,
  failed_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null,
  primary key (merchant_id, file_id),
  foreign key (merchant_id, file_id) references screen_files (merchant_id, id) on delete cascade
);
call guard_tenant_table('screen_copies');
