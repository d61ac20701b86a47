-- What the touch screens of machines show, the files for it, the screens that may enrol, and the merchant's storage.

create table screen_configurations (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- A key of screenSizes.
  size text not null,
  idle jsonb not null,
  pages jsonb not null default '[]',
  show_prices boolean not null default true,
  languages text[] not null,
  colours jsonb not null,
  -- Weekly hours on the machine's clock, as of no_vend_profiles.
  schedule jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz not null,
  -- When the newest version was saved.
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
call guard_tenant_table('screen_configurations');
create unique index screen_configurations_by_name on screen_configurations (merchant_id, lower(name));
call make_searchable('screen_configurations', '{name}');

-- Each save of a configuration.
create table screen_versions (
  merchant_id uuid not null,
  screen_configuration_id uuid not null,
  version int not null,
  content jsonb not null,
  saved_at timestamptz not null,
  saved_by uuid,
  saved_by_name text not null,
  primary key (merchant_id, screen_configuration_id, version),
  foreign key (merchant_id, screen_configuration_id) references screen_configurations (merchant_id, id) on delete cascade
);
call guard_tenant_table('screen_versions');

-- Pictures, videos and documents of screens. Their bytes are in the blob store under screens/<merchant_id>/<id>.
create table screen_files (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- `upload`: a user's file. `product`: a copy of a product's picture. `document`: a configuration as machines fetch it.
  origin text not null check (origin in ('upload', 'product', 'document')),
  name text not null,
  kind text not null check (kind in ('picture', 'video', 'document')),
  -- Null until the upload is complete.
  type text check (type in ('png', 'jpg', 'webp', 'mp4', 'webm', 'json')),
  bytes int not null check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The files that a document names.
  parts uuid[] not null default '{}',
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('screen_files');
-- A copy and a document are stored once.
create unique index screen_files_by_content on screen_files (merchant_id, origin, sha256) where origin <> 'upload';

-- What was sent to a machine last.
create table screen_assignments (
  merchant_id uuid not null,
  machine_id uuid not null,
  screen_configuration_id uuid not null,
  version int not null,
  document_id uuid not null,
  -- The SHA-256 of the document, which the machine reports once it shows it.
  document text not null,
  command_id uuid not null,
  sent_at timestamptz not null,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  foreign key (merchant_id, screen_configuration_id) references screen_configurations (merchant_id, id) on delete cascade,
  foreign key (merchant_id, document_id) references screen_files (merchant_id, id)
);
call guard_tenant_table('screen_assignments');
create index screen_assignments_by_configuration on screen_assignments (merchant_id, screen_configuration_id);
create index screen_assignments_by_document on screen_assignments (merchant_id, document_id);

-- Serials whose screens may enrol until `expires_at`. A screen enrols when its machine first fetches a document.
create table whitelist_entries (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  serial text not null,
  added_by_name text not null,
  version int not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  enrolled_at timestamptz,
  primary key (merchant_id, id)
);
call guard_tenant_table('whitelist_entries');
create unique index whitelist_entries_by_serial on whitelist_entries (merchant_id, serial);
create index whitelist_entries_by_time on whitelist_entries (merchant_id, created_at, id);
call make_searchable('whitelist_entries', '{serial}');

-- A merchant's storage for screen content. The password is encrypted with SECRET_KEY.
create table screen_storages (
  merchant_id uuid primary key references merchants (id),
  username text not null,
  password_sealed text not null,
  url text not null,
  protocol text not null check (protocol in ('webdav', 'https')),
  tested_at timestamptz not null,
  version int not null default 1
);
call guard_tenant_table('screen_storages');
