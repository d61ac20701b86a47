-- What newer firmware says of an item and this version does not know, as it came. Beside the items, since most machines say nothing of the
-- kind and their rows should cost no more for it. It is JSON in a text: jsonb refuses characters that JSON may hold.
create table unknown_fields (
  merchant_id uuid not null,
  machine_id uuid not null,
  at timestamptz not null,
  epoch int not null,
  seq bigint not null,
  kind text not null,
  fields text not null,
  primary key (merchant_id, machine_id, at, epoch, seq)
) partition by range (at);
call guard_tenant_table('unknown_fields');
