-- Clients: whom a merchant's machines stand at, and whom it writes its invoices to.
create table clients (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  code text not null check (length(code) between 1 and 50),
  name text not null check (length(name) between 1 and 200),
  company_name text,
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
  version integer not null default 1,
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

alter table machines
  add column client_id uuid,
  add foreign key (merchant_id, client_id) references clients (merchant_id, id);
-- A client's machines, and how many there are; most machines of most merchants have none.
create index machines_by_client on machines (merchant_id, client_id) where client_id is not null;

-- Groups are listed by name and searched as well.
create index groups_by_name on groups (merchant_id, lower(name), id);
create index groups_by_text on groups using gin (name gin_trgm_ops);

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
