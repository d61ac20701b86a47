-- Files that were imported, one row each. What an import did to each record is in import_rows, so that it can be undone as a whole.
create table imports (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null,
  file_name text not null,
  at timestamptz not null,
  user_id uuid not null,
  user_name text not null,
  -- Columns of the file by field.
  mapping jsonb not null,
  created int not null,
  updated int not null,
  same int not null,
  refused int not null,
  undone_at timestamptz,
  undone_by uuid,
  undone_by_name text,
  primary key (merchant_id, id)
);
call guard_tenant_table('imports');
create index imports_by_time on imports (merchant_id, at desc, id desc);

create table import_rows (
  merchant_id uuid not null,
  import_id uuid not null,
  -- The row in the file; the headings are row 1.
  row int not null,
  -- The record's id, or the serial of a machine that is expected.
  subject text not null,
  name text not null,
  is_new boolean not null,
  -- The record's version after the import: another one means that it was changed since.
  version int not null,
  -- What an updated record had; null for new ones.
  before jsonb,
  primary key (merchant_id, import_id, row),
  foreign key (merchant_id, import_id) references imports (merchant_id, id) on delete cascade
);
call guard_tenant_table('import_rows');
create index import_rows_by_subject on import_rows (merchant_id, subject);

-- What a merchant's files call the fields of a kind: the field of each heading, null for a column that is left out. An import locks the row of its kind, so that two
-- at once come one after the other.
create table import_mappings (
  merchant_id uuid not null references merchants (id),
  kind text not null,
  headings jsonb not null default '{}',
  primary key (merchant_id, kind)
);
call guard_tenant_table('import_mappings');
