-- Merchants as the provider administers them: what it keeps of each beside the public part, when a demo ends, limits, and the SAP
-- codes of keys.

alter table merchants
  -- The last day of a demo by the merchant's own calendar; a demo without one does not end.
  add column demo_expires_on date,
  -- Counted up by each edit, of this row and of merchant_details, which are edited as one.
  add column version int not null default 1,
  add constraint merchants_demo_expires check (demo_expires_on is null or is_demo);

-- Names tell merchants apart wherever they are listed. Of those that are alike already, the later ones say which they are. The
-- table's owner is held to its policies as well, which would hide all rows from it here.
alter table merchants no force row level security;
update merchants set name = left(name, 180) || ' (' || right(id::text, 12) || ')'
  where exists (select from merchants earlier where lower(earlier.name) = lower(merchants.name) and earlier.id < merchants.id);
alter table merchants force row level security;
create unique index merchants_by_name on merchants (lower(name));

-- Whether the last day of a demo has passed where the merchant is. Decided whenever somebody asks, so that no job is needed for it.
create function demo_is_over(is_demo boolean, expires_on date, time_zone text) returns boolean language sql stable
  return coalesce(is_demo and expires_on < (now() at time zone time_zone)::date, false);

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

-- How many a merchant may have; nothing said, as many as it likes.
alter table merchant_features
  add column maximum_machines int check (maximum_machines > 0),
  add column maximum_people int check (maximum_people > 0);

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
