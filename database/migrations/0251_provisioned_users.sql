-- The ids that a merchant's directory gives to users whom it provisions (SCIM). Local, since users belong to no tenant.
create table provisioned_users (
  user_id uuid not null,
  merchant_id uuid not null,
  external_id text not null,
  primary key (user_id, merchant_id),
  foreign key (user_id, merchant_id) references user_merchants (user_id, merchant_id) on delete cascade
);
create index provisioned_users_by_external_id on provisioned_users (merchant_id, external_id);
grant select, insert, update, delete on provisioned_users to gettone_system;
