-- Firmware of the provider, the same for all merchants. Its file is in the blob store under updates/<file_id>.
create table firmwares (
  id uuid primary key,
  major int not null,
  minor int not null,
  patch int not null,
  build int not null,
  release text not null generated always as (
    major::text || '.' || minor::text || '.' || patch::text || '.' || build::text
  ) stored,
  level text not null check (level in ('production', 'beta')),
  device_types text[] not null check (cardinality(device_types) > 0),
  -- The part of the machine that it is for; null for the machine.
  peripheral text,
  -- Release notes by language.
  notes jsonb not null default '{}',
  file_id uuid,
  file_name text,
  file_bytes int check (file_bytes > 0),
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  file_uploaded_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  constraint firmwares_file check (num_nulls(file_id, file_name, file_bytes, file_sha256, file_uploaded_at) in (0, 5))
);
create index firmwares_by_release on firmwares (major desc, minor desc, patch desc, build desc);
grant select, insert, update, delete on firmwares to gettone_system;

-- A merchant's databases of coins and notes, and databases of peripherals.
create table cash_databases (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  release text not null check (length(release) between 1 and 40),
  currency text not null,
  device_types text[] not null check (cardinality(device_types) > 0),
  peripheral text,
  file_id uuid,
  file_name text,
  file_bytes int check (file_bytes > 0),
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  file_uploaded_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint cash_databases_file check (num_nulls(file_id, file_name, file_bytes, file_sha256, file_uploaded_at) in (0, 5))
);
call guard_tenant_table('cash_databases');
create unique index cash_databases_by_release
  on cash_databases (merchant_id, coalesce(peripheral, ''), lower(release));
call make_searchable('cash_databases', '{name,release}');

-- Versions that a machine runs, by its own word in hello.
create table machine_versions (
  merchant_id uuid not null,
  machine_id uuid not null,
  kind text not null check (kind in ('firmware', 'cashDatabase', 'peripheralFirmware', 'peripheralDatabase')),
  -- Empty for the machine itself.
  peripheral text not null default '',
  version text not null,
  -- The first report of this version, and the last one.
  since timestamptz not null,
  reported_at timestamptz not null,
  primary key (merchant_id, machine_id, kind, peripheral),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('machine_versions');
create index machine_versions_by_version on machine_versions (merchant_id, kind, peripheral, version);

insert into machine_versions (merchant_id, machine_id, kind, version, since, reported_at)
select merchant_id, id, 'firmware', firmware_version, coalesce(last_boot_at, created_at), coalesce(last_seen_at, created_at)
from machines where firmware_version is not null;

-- The step of an update between its go and its result, by the machine's own word.
alter table remote_commands
  add column progress_phase text check (progress_phase in ('downloading', 'checking', 'waiting', 'installing')),
  add column progress_percent smallint check (progress_percent between 0 and 100),
  add column progress_at timestamptz;
-- Finds the commands of all merchants that name a file.
create index remote_commands_by_file on remote_commands ((parameters -> 'file' ->> 'id')) where status in (0, 1);

-- Keys of the deployment. The private part is encrypted with SECRET_KEY.
create table deployment_keys (
  name text primary key,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);
grant select, insert on deployment_keys to gettone_system;
