-- Configurations of the visual programmer: one document for machines of one model, described by a schema of the product.
create table vp_configurations (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  device_type text not null,
  schema_version text not null,
  document jsonb not null,
  -- SHA-256 of the canonical document, in hexadecimal, and how many of its values break the schema; written with the document.
  sha256 text not null default '',
  problems int not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (merchant_id, id)
);
call guard_tenant_table('vp_configurations');
create unique index vp_configurations_by_name on vp_configurations (merchant_id, lower(name));
call make_searchable('vp_configurations', '{name}');

-- The configuration that a machine is to have: the document that was sent to it last.
create table vp_targets (
  merchant_id uuid not null,
  machine_id uuid not null,
  vp_configuration_id uuid not null,
  sent_version int not null,
  sent_at timestamptz not null,
  sha256 text not null,
  document jsonb not null,
  command_id uuid not null,
  -- When the machine first reported this document; null before.
  confirmed_at timestamptz,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade,
  foreign key (merchant_id, vp_configuration_id) references vp_configurations (merchant_id, id)
);
call guard_tenant_table('vp_targets');
create index vp_targets_by_configuration on vp_targets (merchant_id, vp_configuration_id);

-- The document that a machine reported last; without one, the machine reported only its hash.
create table vp_reports (
  merchant_id uuid not null,
  machine_id uuid not null,
  reported_at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  sha256 text not null,
  name text,
  schema_version text,
  document jsonb,
  primary key (merchant_id, machine_id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id) on delete cascade
);
call guard_tenant_table('vp_reports');
