-- Claims of customers: "the machine kept my money".

-- The last number of each merchant's claims.
create table claim_numbers (
  merchant_id uuid primary key,
  last int not null
);
call guard_tenant_table('claim_numbers');

create table claims (
  merchant_id uuid not null,
  -- Made by the caller: the same claim sent again is stored once.
  id uuid not null,
  number int not null,
  -- Null after the customer's data was erased.
  customer_id uuid,
  machine_id uuid not null,
  selection text check (length(selection) between 1 and 20),
  -- Minor units.
  amount bigint not null check (amount > 0),
  currency text not null,
  paid_by text not null check (paid_by in ('media', 'cash')),
  media_id uuid,
  text text not null check (length(text) between 1 and 1000),
  -- When it happened at the machine, as the customer says.
  happened_at timestamptz not null,
  created_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'refunded', 'refused', 'answered')),
  answer text check (length(answer) between 1 and 1000),
  answered_at timestamptz,
  answered_by uuid,
  answered_by_name text,
  refund_id uuid,
  -- The failed vend of the machine's log that it is about.
  transaction_id uuid,
  -- The mail with the answer; null: none waits.
  mail_due_at timestamptz,
  mail_attempts int not null default 0,
  mail_sent_at timestamptz,
  mail_failure text,
  primary key (merchant_id, id),
  unique (merchant_id, number),
  foreign key (merchant_id, media_id) references medias (merchant_id, id),
  check ((state = 'open') = (answered_at is null)),
  check ((state = 'refunded') = (refund_id is not null))
);
call guard_tenant_table('claims');
-- The list shows the newest first.
create index claims_by_time on claims (merchant_id, created_at desc, id desc);
create index claims_by_machine on claims (merchant_id, machine_id, created_at desc);
create index claims_by_customer on claims (merchant_id, customer_id, created_at desc) where customer_id is not null;
-- The dashboard counts open claims.
create index claims_open on claims (merchant_id, machine_id) where state = 'open';
-- A sale is paid back to one claim.
create unique index claims_refunded_sale on claims (merchant_id, transaction_id)
  where state = 'refunded' and transaction_id is not null;
create index claims_mail on claims (mail_due_at) where mail_due_at is not null;

-- A post keeps its picture or video.
alter table blog_posts add foreign key (media_id) references blog_files (id);
