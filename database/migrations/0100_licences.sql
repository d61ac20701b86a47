-- Licences of the cash-recycler connector application: one computer with the connector serves one machine.
create table licences (
  merchant_id uuid not null,
  id uuid not null,
  -- The public number.
  name text not null check (name ~ '^LIC-[0-9A-Z]{8}$'),
  -- The number of licenceStatuses.
  status smallint not null default 0 check (status between 0 and 6),
  -- The machine; of an unassigned licence the last one.
  machine_id uuid not null,
  type text not null check (type in ('none', 'cashlogy', 'cashlogyDemo')),
  features text[] not null,
  operation_mode text not null,
  maintenance_type text not null,
  organization text not null check (length(organization) between 1 and 120),
  establishment_name text not null check (length(establishment_name) between 1 and 120),
  contact_name text check (length(contact_name) between 1 and 120),
  client_email text not null check (length(client_email) <= 254),
  language text not null,
  installed_on date,
  -- The last day, in the merchant's zone.
  expires_on date,
  note text check (length(note) between 1 and 500),
  sent_at timestamptz,
  confirmed_at timestamptz,
  -- On its current machine.
  activated_at timestamptz,
  -- A demo ends some days after it.
  first_activated_at timestamptz,
  unassign_case text check (unassign_case in ('defectivePos', 'customerChange', 'demoEnd', 'licenceEnd')),
  -- The link of the last mail, until the client has used it.
  link_hash text,
  link_expires_at timestamptz,
  -- The licence key is never stored.
  key_hash text,
  key_hint text,
  -- The computer that has activated it; another one needs a new key.
  board_serial text check (length(board_serial) <= 100),
  connector_version text check (length(connector_version) <= 40),
  last_beat_at timestamptz,
  clock_drift_seconds bigint,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, machine_id) references machines (merchant_id, id),
  check (type <> 'cashlogyDemo' or expires_on is not null),
  check ((link_hash is null) = (link_expires_at is null)),
  check (status <> 5 or unassign_case is not null)
);
call guard_tenant_table('licences');
call make_searchable('licences', '{name,organization,establishment_name,contact_name,client_email}');
create unique index licences_name on licences (merchant_id, name);
-- A machine has one licence at a time.
create unique index licences_of_machine on licences (merchant_id, machine_id) where status < 5;
create index licences_by_machine on licences (merchant_id, machine_id);
-- The list shows the newest first.
create index licences_by_time on licences (merchant_id, created_at desc, id desc);
-- The worker ends licences and reminds of their end.
create index licences_by_end on licences (expires_on) where expires_on is not null and status < 5;

-- A call with a licence key or a link names no merchant: the hash leads to its licence. A row whose licence has another hash opens nothing.
create table licence_directory (
  hash text primary key,
  merchant_id uuid not null,
  licence_id uuid not null,
  created_at timestamptz not null
);
grant select, insert, delete on licence_directory to gettone_system;
create index licence_directory_by_licence on licence_directory (merchant_id, licence_id);
