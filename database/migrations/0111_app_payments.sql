-- The random part of the address in a machine's QR image. It ends with the machine's entry: a machine that joins another merchant gets another one.
alter table machine_directory add column code text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
  check (code ~ '^[0-9a-f]{12}$');
create unique index machine_directory_code on machine_directory (code);

-- The code that a machine shows for a key that is in it: a customer who types it has the key. One per medium; the newest counts.
create table media_link_codes (
  merchant_id uuid not null,
  media_id uuid not null,
  -- Keyed with the deployment's secret: 8 digits are guessed quickly otherwise.
  code_hash text not null,
  pos_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (merchant_id, media_id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id)
);
call guard_tenant_table('media_link_codes');

-- Payments that customers start at machines with the app. The id is the app's own, and that of the reservation which holds the amount.
create table app_payments (
  merchant_id uuid not null,
  id uuid not null,
  -- Null after the customer's erasure.
  customer_id uuid,
  media_id uuid not null,
  pos_id uuid not null,
  -- The command by which the machine learns of it.
  command_id uuid not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  -- Why its reservation was released, where that is known.
  reason text check (reason in ('notTaken', 'notVended', 'vendFailed', 'unsupported', 'cancelled')),
  primary key (merchant_id, id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id)
);
call guard_tenant_table('app_payments');
create index app_payments_by_customer on app_payments (merchant_id, customer_id) where customer_id is not null;
create index app_payments_by_command on app_payments (merchant_id, command_id);
