-- Merchants: public data, own settings, settings of the provider; groups, clients, and API tokens.

-- Reference: the public data of a merchant.
create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  country text not null check (country ~ '^[A-Z]{2}$'),
  language text not null,
  time_zone text not null,
  currency text not null,
  is_demo boolean not null default false,
  -- The last day of a demo by the merchant's own calendar; null: no end.
  demo_expires_on date,
  -- Incremented by each edit of this row and of merchant_details, which are edited together.
  version int not null default 1,
  created_at timestamptz not null,
  constraint merchants_demo_expires check (demo_expires_on is null or is_demo)
);
call guard_tenant_table('merchants', 'id');
-- Lists identify merchants by name.
create unique index merchants_by_name on merchants (lower(name));

-- Whether a demo's last day has passed in the merchant's zone. Computed when read, so no job is needed.
create function demo_is_over(is_demo boolean, expires_on date, time_zone text) returns boolean language sql stable
  return coalesce(is_demo and expires_on < (now() at time zone time_zone)::date, false);

-- The settings of a merchant's own admins. The merchant must be able to read its association PIN, so it is sealed and not hashed; its
-- digest finds the merchant (association_pins).
create table merchant_settings (
  merchant_id uuid primary key references merchants (id),
  pin_sealed text not null,
  maximum_refund bigint not null default 10000 check (maximum_refund between 0 and 1000000000),
  peripheral_events_minutes int not null default 60 check (peripheral_events_minutes between 1 and 1440),
  scheduled_audit_minutes int not null default 1440 check (scheduled_audit_minutes between 0 and 43200),
  minimum_signal_percent int not null default 45 check (minimum_signal_percent between 0 and 100),
  audit_exceeded_hours int not null default 48 check (audit_exceeded_hours between 1 and 8760),
  cloud_credit_unlock_hours int not null default 24 check (cloud_credit_unlock_hours between 1 and 8760),
  prices_sync text not null default 'immediate' check (prices_sync in ('immediate', 'afterAudit')),
  -- Limits of the portal's own alarm rules. Null: the deployment's default, or a rule that is off.
  no_data_minutes int check (no_data_minutes between 5 and 43200),
  cash_box_full_percent int not null default 90 check (cash_box_full_percent between 1 and 100),
  clock_drift_minutes int not null default 5 check (clock_drift_minutes between 2 and 1440),
  temperature_minimum numeric(4, 1),
  temperature_maximum numeric(4, 1),
  -- This number of sold-out or low selections raises the low stock alarm.
  low_stock_selections int not null default 3 check (low_stock_selections between 1 and 200),
  version int not null default 1,
  check (temperature_minimum < temperature_maximum)
);
call guard_tenant_table('merchant_settings');

-- The features of a merchant, set by the provider. A merchant without a row has none. Separate from merchant_settings, whose fields the
-- merchant edits itself. Read by key only, so there is no other index.
create table merchant_features (
  merchant_id uuid primary key references merchants (id),
  features text[] not null default '{}',
  product_families text[] not null default '{}',
  -- The merchant's limits; null: unlimited.
  maximum_machines int check (maximum_machines > 0),
  maximum_people int check (maximum_people > 0),
  -- Incremented by each save; a save from an older version is refused.
  version int not null default 1
);
call guard_tenant_table('merchant_features');

-- Business data of provider and merchant. A merchant without a row uses the portal only.
create table merchant_details (
  merchant_id uuid primary key references merchants (id),
  legal_name text not null default '',
  vat_code text,
  legal_country text not null default '',
  legal_street text not null default '',
  legal_postal_code text not null default '',
  legal_city text not null default '',
  legal_province text not null default '',
  contact_name text not null default '',
  contact_email text not null default '',
  sap_code text not null default '',
  -- Months of warranty for machines that associate, and extra months. Both 0: no warranty end is set.
  default_warranty_months int not null default 0 check (default_warranty_months between 0 and 120),
  extended_warranty_months int not null default 0 check (extended_warranty_months between 0 and 120),
  web_portal boolean not null default true,
  prepaid_3_years boolean not null default false,
  web_socket_url text not null default '',
  credit_card_payment_url text not null default '',
  erp_api_url text not null default '',
  erp_temperature_history boolean not null default false,
  erp_signal_history boolean not null default false,
  portal_recharge boolean not null default false,
  screen_configuration boolean not null default false,
  enrolment_days int not null default 30 check (enrolment_days between 1 and 365),
  mobile_app boolean not null default false,
  ocf_service smallint check (ocf_service >= 0),
  credit_backup boolean not null default false
);
call guard_tenant_table('merchant_details');

-- The codes of keys in the provider's SAP. No table refers to them yet.
create table key_sap_codes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  code text not null check (length(code) between 1 and 40),
  description text not null default '',
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('key_sap_codes');
-- Codes are unique ignoring case.
create unique index key_sap_codes_by_code on key_sap_codes (merchant_id, lower(code));

create table groups (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, name)
);
call guard_tenant_table('groups');
-- Groups are listed and searched by name.
create index groups_by_name on groups (merchant_id, lower(name), id);
create index groups_by_text on groups using gin (name gin_trgm_ops);

-- Clients host a merchant's machines and get its invoices.
create table clients (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  code text not null check (length(code) between 1 and 50),
  name text not null check (length(name) between 1 and 200),
  company_name text,
  -- The kind of location, a code of the contract's pos sectors; null: not set. No index: a filter by sector reads the few clients of its
  -- merchants.
  sector text check (length(sector) between 1 and 40),
  -- The country defines the format of postal code and VAT code.
  country text not null check (country ~ '^[A-Z]{2}$'),
  address text,
  zip_code text,
  city text,
  province text,
  phone text,
  website text,
  vat_code text,
  contact_name text,
  contact_email text,
  version int not null default 1,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('clients');
-- Codes and names are unique within a merchant, ignoring case; they also order the list.
create unique index clients_code on clients (merchant_id, lower(code));
create unique index clients_name on clients (merchant_id, lower(name));
-- Other orders of the list.
create index clients_by_city on clients (merchant_id, lower(coalesce(city, '')), id);
create index clients_by_time on clients (merchant_id, created_at, id);
-- For searches of three letters or more.
create index clients_by_text on clients using gin ((code || ' ' || name || ' ' || coalesce(company_name, '') || ' ' ||
  coalesce(city, '') || ' ' || coalesce(vat_code, '') || ' ' || coalesce(contact_name, '')) gin_trgm_ops);

-- A condition of row-level security prevents the use of a text index, so searches start in functions that see the scope's merchants only.
-- Each search is planned for its text (execute): few hits come from the text index; with many hits it stops at the limit.
create function search_clients(wanted text, most int) returns table (client_id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute
    'select id from clients where merchant_id = any($1)
       and (code || '' '' || name || '' '' || coalesce(company_name, '''') || '' '' || coalesce(city, '''') || '' '' ||
         coalesce(vat_code, '''') || '' '' || coalesce(contact_name, '''')) ilike $2 limit $3'
    using nullif(current_setting('app.merchant_ids', true), '')::uuid[],
      '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%', most;
end $$;

create function search_groups(wanted text, most int) returns table (group_id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute
    'select id from groups where merchant_id = any($1) and name ilike $2 limit $3'
    using nullif(current_setting('app.merchant_ids', true), '')::uuid[],
      '%' || replace(replace(replace(wanted, '\', '\\'), '%', '\%'), '_', '\_') || '%', most;
end $$;

revoke execute on function search_clients, search_groups from public;
grant create on schema public to gettone_system;
alter function search_clients owner to gettone_system;
alter function search_groups owner to gettone_system;
revoke create on schema public from gettone_system;
grant execute on function search_clients, search_groups to gettone_app;

-- API tokens by which integrations read a merchant's data. A token is shown once; the table holds hashes only. Read by merchant, which
-- has a few, and by key.
create table api_tokens (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- The first characters, so that users recognize the token.
  hint text not null,
  token_hash text not null,
  -- The token before the last rotation, while it is still valid.
  previous_hash text,
  previous_until timestamptz,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null,
  created_by_name text not null,
  rotated_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  primary key (merchant_id, id),
  unique (merchant_id, name),
  check ((previous_hash is null) = (previous_until is null))
);
call guard_tenant_table('api_tokens');

-- Local: finds the merchant of a token by its hash. A row grants no access: the token's own row decides.
create table api_token_directory (
  token_hash text primary key,
  merchant_id uuid not null,
  token_id uuid not null
);
grant select, insert, delete on api_token_directory to gettone_system;
-- Finds the hashes of a token that is rotated or revoked.
create index api_token_directory_by_token on api_token_directory (merchant_id, token_id);
