-- A distributed database refuses keys that clear a column of theirs. The columns that only name a group, a client or a product are
-- cleared by the code that deletes it (records.ts).
alter table expected_associations
  drop constraint expected_associations_merchant_id_group_id_fkey,
  drop constraint expected_associations_merchant_id_client_id_fkey,
  add foreign key (merchant_id, group_id) references groups (merchant_id, id),
  add foreign key (merchant_id, client_id) references clients (merchant_id, id);
alter table round_loads
  drop constraint round_loads_merchant_id_product_id_fkey,
  add foreign key (merchant_id, product_id) references products (merchant_id, id);

-- Functions of SQL with parameters cannot read distributed tables.
create or replace function search_machines(pattern text) returns table (machine_id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute 'select id from machines
    where merchant_id = any($1) and folded(name || '' '' || serial || '' '' || coalesce(address, '''')) ~ $2'
    using nullif(current_setting('app.merchant_ids', true), '')::uuid[], pattern;
end $$;
