-- Machines that somebody is about to associate: their serials, and where they belong once they arrive.
create table expected_associations (
  merchant_id uuid not null references merchants (id),
  serial text not null,
  name text,
  group_id uuid,
  client_id uuid,
  created_at timestamptz not null,
  created_by uuid not null,
  expires_at timestamptz not null,
  primary key (merchant_id, serial),
  foreign key (merchant_id, group_id) references groups (merchant_id, id) on delete set null (group_id),
  foreign key (merchant_id, client_id) references clients (merchant_id, id) on delete set null (client_id)
);
call guard_tenant_table('expected_associations');
-- A machine that arrives names its serial and no merchant.
create index expected_associations_by_serial on expected_associations (serial);
create index expected_associations_by_group on expected_associations (merchant_id, group_id) where group_id is not null;
create index expected_associations_by_client on expected_associations (merchant_id, client_id) where client_id is not null;
