-- Merchants: their public part, what they set themselves, what the provider decides for them; their groups, their clients, and the tokens
-- of their integrations.

-- Reference: the public part of a merchant.
create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  country text not null check (country ~ '^[A-Z]{2}$'),
  language text not null,
  time_zone text not null,
  currency text not null,
  is_demo boolean not null default false,
  -- The last day of a demo by the merchant's own calendar; a demo without one does not end.
  demo_expires_on date,
  -- Counted up by each edit, of this row and of merchant_details, which are edited as one.
  version int not null default 1,
  created_at timestamptz not null,
  constraint merchants_demo_expires check (demo_expires_on is null or is_demo)
);
call guard_tenant_table('merchants', 'id');
-- Names tell merchants apart wherever they are listed.
create unique index merchants_by_name on merchants (lower(name));

-- Whether the last day of a demo has passed where the merchant is. Decided whenever somebody asks, so that no job is needed for it.
create function demo_is_over(is_demo boolean, expires_on date, time_zone text) returns boolean language sql stable
  return coalesce(is_demo and expires_on < (now() at time zone time_zone)::date, false);

-- What a merchant's own admins set. The association PIN must be readable by its merchant, so it is sealed and not hashed; its digest
-- finds the merchant (association_pins).
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
  -- The limits of the portal's own alarm rules. Null: the deployment's own time, or a rule that is off.
  no_data_minutes int check (no_data_minutes between 5 and 43200),
  cash_box_full_percent int not null default 90 check (cash_box_full_percent between 1 and 100),
  clock_drift_minutes int not null default 5 check (clock_drift_minutes between 2 and 1440),
  temperature_minimum numeric(4, 1),
  temperature_maximum numeric(4, 1),
  -- So many selections that are sold out or run low make the alarm of low stock.
  low_stock_selections int not null default 3 check (low_stock_selections between 1 and 200),
  version int not null default 1,
  check (temperature_minimum < temperature_maximum)
);
call guard_tenant_table('merchant_settings');

-- What a merchant may use, as the provider decides. A merchant without a row has nothing switched on. Apart from merchant_settings,
-- whose fields are the merchant's own to change and hold its sealed PIN. Found by its key alone, so there is no other index.
create table merchant_features (
  merchant_id uuid primary key references merchants (id),
  features text[] not null default '{}',
  product_families text[] not null default '{}',
  -- How many a merchant may have; nothing said, as many as it likes.
  maximum_machines int check (maximum_machines > 0),
  maximum_people int check (maximum_people > 0),
  -- Counted up by each save; one that names an older version is told.
  version int not null default 1
);
call guard_tenant_table('merchant_features');

-- What is the provider's and the merchant's own business. A merchant without a row has nothing but the portal.
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
  -- Months of warranty for machines that associate, and those on top of them. Both none: no end of warranty is noted.
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

-- What keys are called in the provider's SAP. Nothing refers to one yet.
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
-- Small and capital letters are the same code.
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
-- Groups are listed by name and searched as well.
create index groups_by_name on groups (merchant_id, lower(name), id);
create index groups_by_text on groups using gin (name gin_trgm_ops);

-- Clients: whom a merchant's machines stand at, and whom it writes its invoices to.
create table clients (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  code text not null check (length(code) between 1 and 50),
  name text not null check (length(name) between 1 and 200),
  company_name text,
  -- What kind of place it is, by the codes of the contract's pos sectors. Null: nobody has said it. No index: a filter by sector reads
  -- the clients of its merchants, which are few.
  sector text check (length(sector) between 1 and 40),
  -- What its postal code and VAT code are read by.
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
-- A code and a name stand once in their merchant, however they are written; the list is ordered by them.
create unique index clients_code on clients (merchant_id, lower(code));
create unique index clients_name on clients (merchant_id, lower(name));
-- The list's other orders.
create index clients_by_city on clients (merchant_id, lower(coalesce(city, '')), id);
create index clients_by_time on clients (merchant_id, created_at, id);
-- Searches from three letters on.
create index clients_by_text on clients using gin ((code || ' ' || name || ' ' || coalesce(company_name, '') || ' ' ||
  coalesce(city, '') || ' ' || coalesce(vat_code, '') || ' ' || coalesce(contact_name, '')) gin_trgm_ops);

-- Row-level security lets no condition enter a text index, so searches begin in functions that see the scope's merchants alone. Each is
-- planned for what it looks for (execute): few hits come out of the text index, and of many no more than wanted are looked for.
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

-- Tokens by which an integration reads a merchant's data. They are said once; here are their hashes alone. Read by merchant, of
-- which each has a few, and by the key.
create table api_tokens (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  -- How it begins, so that people know which one it is.
  hint text not null,
  token_hash text not null,
  -- The one before the last rotation, while it is still taken.
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

-- Local: a token names no merchant; its hash leads to it. What stands here opens nothing: the token's own row decides.
create table api_token_directory (
  token_hash text primary key,
  merchant_id uuid not null,
  token_id uuid not null
);
grant select, insert, delete on api_token_directory to gettone_system;
-- What a token leaves behind when it is rotated or revoked.
create index api_token_directory_by_token on api_token_directory (merchant_id, token_id);
